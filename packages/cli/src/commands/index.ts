export * from './find-executable.ts';
export * from './resolve-command.ts';
export * from './to-experiment-draft.ts';
