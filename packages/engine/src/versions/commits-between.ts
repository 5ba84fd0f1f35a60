import { askGit, git } from './git.ts';
import { getCommit, type Commit, type Repository } from './repository.ts';
import { VersionError } from './version-error.ts';

/** What is searched for the commit that made a program slower. */
export interface CommitRange {
  readonly good: Commit;
  /** From the first after GOOD to BAD, along the first parents: what was merged counts as its merge. */
  readonly commits: readonly Commit[];
}

/**
 * The commits from GOOD, excluded, to BAD.
 *
 * @throws VersionError `UNKNOWN_REVISION`, `SHALLOW_CLONE`, `NOT_AN_ANCESTOR`
 */
export async function commitsBetween(
  { good: goodName, bad: badName }: { readonly good: string; readonly bad: string },
  repository: Repository,
): Promise<CommitRange> {
  const good = await getCommit(goodName, repository);
  const bad = await getCommit(badName, repository);
  const isAncestor =
    good.id !== bad.id && (await askGit(['merge-base', '--is-ancestor', good.id, bad.id], repository)) !== null;
  if (!isAncestor) {
    throw new VersionError(
      repository.isShallow ? 'SHALLOW_CLONE' : 'NOT_AN_ANCESTOR',
      good.id === bad.id
        ? `${goodName} and ${badName} are the same commit.`
        : `${goodName} is no ancestor of ${badName}${repository.isShallow ? ', as far as this shallow clone goes' : ''}. ` +
            'Give the older commit, which is fast, first: deadheat bisect GOOD BAD -- COMMAND.',
    );
  }
  const text = await git(
    [
      'log',
      '--reverse',
      '--first-parent',
      '--no-show-signature',
      '--format=%H%x00%h%x00%cI%x00%s',
      `${good.id}..${bad.id}`,
    ],
    repository,
  );
  const commits = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', short = '', committedAt = '', subject = ''] = line.split('\0');
      return { id, short, subject, committedAt };
    });
  return { good, commits };
}
