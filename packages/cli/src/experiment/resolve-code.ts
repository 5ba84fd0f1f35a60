import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { findCommit, openRepository, originOf, type ExperimentDraft } from '@deadheat/engine';
import type { Code } from '@deadheat/fleet';
import type { Narrowing } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import type { CodeRequest } from './fleet-request.ts';

/**
 * What the workers are told about where the programs come from.
 *
 * @throws UsageError when it is no commit that they could get; VersionError without a repository
 */
export async function resolveCode(
  request: CodeRequest | null,
  facts: {
    readonly draft: ExperimentDraft;
    /** The file that describes the experiment. */
    readonly file: string;
    readonly narrowing: Narrowing;
    readonly signal: AbortSignal;
  },
): Promise<Code> {
  const { draft, file, narrowing, signal } = facts;
  if (request?.what === 'here') return { kind: 'here' };
  if (request === null && draft.benchmarks.every(({ containers }) => containers !== null)) return { kind: 'images' };
  const repository = await openRepository(process.cwd(), signal);
  const what = request?.what ?? 'HEAD';
  const commit = await findCommit(what, repository);
  if (commit === null) {
    throw new UsageError('BAD_VALUE', `--code ${what} is no commit of this repository`, {
      hint: 'Name a commit, a branch or a tag, or here for programs that every worker has.',
    });
  }
  const path = relative(repository.root, realpathSync(resolve(file)));
  if (path.startsWith('..')) {
    throw new UsageError(
      'BAD_VALUE',
      `${file} is not in the repository ${repository.root}, whose commit the workers get`,
      {
        hint: 'Commit it there, or add --code here for programs that every worker has.',
      },
    );
  }
  const url = request?.repository ?? (await originOf(repository));
  if (url === null) {
    throw new UsageError(
      'BAD_VALUE',
      'the workers would not know where to get this repository: it has no remote origin',
      {
        hint: 'Add --repository URL, or --code here for programs that every worker has.',
      },
    );
  }
  return { kind: 'commit', repository: url, commit: commit.id, file: path, setup: null, narrowing: { ...narrowing } };
}
