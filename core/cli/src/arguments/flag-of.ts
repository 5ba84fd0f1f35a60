/** The flag as typed of an option's key: `minRuns` is `--min-runs`, `N` is `-N`. */
export function flagOf(key: string): string {
  return key.length === 1 ? `-${key}` : `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
