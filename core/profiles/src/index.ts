export type { ExecutionProfile, ProfiledCode } from './profile-builder.ts';
export { profileProgram } from './profile-program.ts';
export { WatchedProgram } from './watched-program.ts';
