/**
 * True if a command is known to time its own iterations as a side of a comparison: `vitest bench`, however it is started
 * (`npx vitest bench`, `node node_modules/vitest/vitest.mjs bench`).
 */
export function takesPart(commandLine: string): boolean {
  return /(?:^|[\s/'"])vitest(?:\.mjs)?['"]?\s+bench(?=\s|$)/.test(commandLine);
}
