export * from './command-error.ts';
export * from './exit-code-of-report.ts';
export * from './exit-codes.ts';
export * from './explain-error.ts';
export * from './usage-error.ts';
