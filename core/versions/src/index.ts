export { Branch } from './branch.ts';
export {
  type Commit,
  type Repository,
  commitsBetween,
  findCommit,
  getCommit,
  openRepository,
  originOf,
} from './repository.ts';
export { changesBetween, holdCommit, restoreFiles, type TreeChange, workingTreeCommit } from './tree-changes.ts';
export { type Revision, readRange, resolveRevisions } from './revisions.ts';
export type { CheckedOut } from './check-out.ts';
export type { ReadyVersion } from './version-cache.ts';
export { cacheFolder, Versions } from './versions.ts';
