/** Exit codes of the process; design section 5. */
export const exitCodes = {
  done: 0,
  slower: 1,
  usage: 2,
  undecided: 3,
  workload: 4,
  environment: 5,
  timeLimit: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
