/** Environment for our own helper processes: the user's, without what would make Node debug, preload or trace them. */
export function helperEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...environment } = process.env;
  return environment;
}
