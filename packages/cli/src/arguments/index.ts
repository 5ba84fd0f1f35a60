export * from './fill-parameters.ts';
export * from './invocation.ts';
export * from './parse-arguments.ts';
export * from './probe-file.ts';
export * from './suggest-subcommand.ts';
