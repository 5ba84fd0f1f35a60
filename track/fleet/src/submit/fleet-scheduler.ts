import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { ExperimentDraft, SessionResult } from '@deadheat/engine';
import { findCommit, openRepository, originOf } from '@deadheat/versions';
import type { FleetExperimentFacts, FleetRequest, FleetScheduler } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import type { Code } from '../code.ts';
import type { SubmitEvent } from './follow.ts';
import { detachOnFleet, resumeOnFleet, runOnFleet, type RunOnFleetOptions } from './run-on-fleet.ts';

/** The scheduler of core's `--on fleet`: hands the runs of an experiment to workers. */
export const fleetScheduler: FleetScheduler = {
  run: async (request, facts) => runFleet(request, facts),
  detach: async (request, facts) => detachOnFleet(await toOptions(request, facts)),
  resume: async (directory, { onNotice, ...control }) =>
    resumeOnFleet({ ...control, directory, onFleetEvent: (event) => onNotice(describe(event)) }),
};

/** An experiment for a fleet; `code` = the origin of the programs, instead of that of the request. */
type FleetFacts = FleetExperimentFacts & { readonly code?: Code };

/** Has the runs of an experiment executed by workers; the recording and the verdict are made here. */
export async function runFleet(request: FleetRequest, facts: FleetFacts): Promise<SessionResult> {
  return runOnFleet(await toOptions(request, facts));
}

async function toOptions(
  { url, hosts, labels, code: asked, confirm, workers = [], priority = 0 }: FleetRequest,
  facts: FleetFacts,
): Promise<RunOnFleetOptions> {
  const { draft, file, changes, tool, code, onNotice, ...rest } = facts;
  return {
    ...rest,
    url,
    draft,
    code: code ?? (await resolveCode(asked, { draft, file, changes, signal: facts.signal })),
    wish: { hosts, labels, excluded: [], pinned: workers },
    confirm,
    priority,
    toolName: tool.name,
    toolVersion: tool.version,
    onFleetEvent: (event) => onNotice(describe(event)),
  };
}

function describe(event: SubmitEvent): string {
  switch (event.kind) {
    case 'submitted':
      return `experiment ${event.experiment} on ${event.workers.join(', ')}`;
    case 'worker-joined':
      return `worker ${event.worker} takes part`;
    case 'worker-lost':
      return `worker ${event.worker} is gone; its runs go elsewhere`;
    case 'worker-distrusted':
      return `worker ${event.worker} brought what is no result of its run; its runs go elsewhere`;
    case 'method-awaited':
      return 'pilot runs choose the method first, then the rest is left to the workers; a file that names one, such as methods: [tandem], is left at once';
    case 'connection-lost':
      return `${event.message} Waiting for it`;
    case 'connection-found':
      return 'the database is there again';
  }
}

/**
 * The origin of the programs, for workers.
 *
 * @throws UsageError when it is no commit that they could get; DeadheatError without a repository
 */
async function resolveCode(
  request: FleetRequest['code'],
  facts: {
    readonly draft: ExperimentDraft;
    readonly file: string | null;
    readonly changes: FleetFacts['changes'];
    readonly signal: AbortSignal;
  },
): Promise<Code> {
  const { draft, file, changes, signal } = facts;
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
