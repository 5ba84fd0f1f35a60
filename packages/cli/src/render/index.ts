export * from './progress-reporter.ts';
export * from './render-report.ts';
export * from './terminal-style.ts';
