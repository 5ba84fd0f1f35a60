export { Branch } from './branch.ts';
export { type Commit, type Repository, commitsBetween, findCommit, openRepository, originOf } from './repository.ts';
export { type Revision, readRange, resolveRevisions } from './revisions.ts';
export type { ReadyVersion } from './version-cache.ts';
export { cacheFolder, Versions } from './versions.ts';
