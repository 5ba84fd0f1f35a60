import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { SessionResult } from '@deadheat/engine';
import { findCommit, openRepository, originOf } from '@deadheat/versions';
import type { FleetExperimentFacts, FleetRequest, FleetScheduler } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import type { Code } from '../code.ts';
import { detachOnFleet, type FleetOrder, resumeOnFleet, runOnFleet } from './run-on-fleet.ts';

/** The scheduler of core's `--on fleet`: hands the runs of an experiment to workers. */
export const fleetScheduler: FleetScheduler = {
  run: runFleet,
  detach: async (request, facts) => detachOnFleet(await orderOf(request, facts)),
  resume: resumeOnFleet,
};

/** An experiment for a fleet; `code` = the origin of the programs, instead of that of the request. */
type FleetFacts = FleetExperimentFacts & { readonly code?: Code };

/** Has the runs of an experiment executed by workers; the recording and the verdict are made here. */
export async function runFleet(request: FleetRequest, facts: FleetFacts): Promise<SessionResult> {
  return runOnFleet(await orderOf(request, facts));
}

async function orderOf(request: FleetRequest, facts: FleetFacts): Promise<FleetOrder> {
  return { ...request, ...facts, code: facts.code ?? (await resolveCode(request.code, facts)) };
}

/**
 * The origin of the programs, for workers.
 *
 * @throws UsageError when it is no commit that they could get; DeadheatError without a repository
 */
async function resolveCode(
  request: FleetRequest['code'],
  { draft, file, changes, signal }: FleetExperimentFacts,
): Promise<Code> {
  if (request?.what === 'here') return { kind: 'here' };
  if (request === null && draft.benchmarks.every(({ containers }) => containers !== null)) return { kind: 'images' };
  if (file === null) {
    throw new UsageError('BAD_VALUE', 'workers read an experiment from a file of a commit, and there is no file', {
      hint: 'Write it to a file and commit that, or choose the code here for programs that every worker has.',
    });
  }
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
      { hint: 'Commit it there, or add --code here for programs that every worker has.' },
    );
  }
  const url = request?.repository ?? (await originOf(repository));
  if (url === null) {
    throw new UsageError(
      'BAD_VALUE',
      'the workers would not know where to get this repository: it has no remote origin',
      { hint: 'Add --repository URL, or --code here for programs that every worker has.' },
    );
  }
  return { kind: 'commit', repository: url, commit: commit.id, file: path, setup: null, changes: { ...changes } };
}
