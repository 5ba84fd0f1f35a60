/** Whether two versions of this tool understand each other's experiments: while the format grows, those of one minor version. */
export function isSameVersion(one: string, other: string): boolean {
  const part = (version: string): string => version.split('.').slice(0, 2).join('.');
  return part(one) === part(other);
}
