export type { ExecutionProfile } from './profile-builder.ts';
export { profileProgram } from './profile-program.ts';
export { jfrEvents } from './read-jfr.ts';
export { WatchedProgram } from './watched-program.ts';
