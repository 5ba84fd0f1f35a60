/** Name of a benchmark without the suite of its own, which a file of duetbench puts before it. */
export function withoutSuite(name: string, suite: string): string {
  const prefix = `${suite}.`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
