import { findCommit, openRepository, type Repository } from '@deadheat/versions';
import { type CommitRef, DeadheatError, type Side, sides } from '@deadheat/model';

/** Names that a user gives the commits of the sides. */
export type NamedCommits = Readonly<Partial<Record<Side, string>>>;

/**
 * The commits that a user named: looked up in the repository of the working directory, with their times, where there is one that
 * knows them; else as they were typed.
 */
export async function findNamedCommits(typed: NamedCommits, cwd: string): Promise<Partial<Record<Side, CommitRef>>> {
  const named = sides.flatMap((side) => {
    const name = typed[side];
    return name === undefined ? [] : [{ side, name }];
  });
  if (named.length === 0) return {};
  const repository = await repositoryAt(cwd);
  const commits: Partial<Record<Side, CommitRef>> = {};
  for (const { side, name } of named) commits[side] = await readCommit(name, repository);
  return commits;
}

async function readCommit(name: string, repository: Repository | null): Promise<CommitRef> {
  const found = repository === null ? null : await findCommit(name, repository);
  if (found === null) return { id: name, label: name, committedAt: null };
  const isHash = found.id.startsWith(name.toLowerCase());
  return { id: found.id, label: isHash ? found.short : name, committedAt: found.committedAt };
}

async function repositoryAt(cwd: string): Promise<Repository | null> {
  try {
    return await openRepository(cwd, new AbortController().signal);
  } catch (error) {
    if (error instanceof DeadheatError) return null;
    throw error;
  }
}
