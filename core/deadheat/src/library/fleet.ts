import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { ExperimentDraft, SessionResult } from '@deadheat/engine';
import { findCommit, openRepository, originOf } from '@deadheat/versions';
import type { Code, DetachedExperiment, RunOnFleetOptions, SubmitEvent } from '@deadheat/fleet';
import type { Narrowing } from '../config/narrow-draft.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Where the programs of an experiment for a fleet come from, as typed. */
interface CodeRequest {
  /** `here`, or a revision of the repository around the file. */
  readonly what: string;
  /** URL; `null` = that of the remote `origin`. */
  readonly repository: string | null;
}

/** What was typed of a fleet behind `deadheat run`. */
export interface FleetRequest {
  readonly url: string;
  /** `null` = all that run. */
  readonly hosts: number | null;
  readonly labels: Readonly<Record<string, string>>;
  /** `null` = images where the file has nothing else, and HEAD otherwise. */
  readonly code: CodeRequest | null;
  /** Other hosts that must find slower what the first found slower; `null` = none. */
  readonly confirm: number | null;
  /** Ids of the only workers that may be used; absent or empty = all. */
  readonly workers?: readonly string[] | undefined;
  /** The runs of experiments with a higher one are taken first; absent = 0. */
  readonly priority?: number | undefined;
}

type Control = Pick<RunOnFleetOptions, 'signal' | 'onEvent' | 'variables'> & {
  readonly onNotice: (text: string) => void;
};

type FleetFacts = Control &
  Pick<RunOnFleetOptions, 'draft' | 'directory' | 'parent' | 'commits'> & {
    readonly tool: { readonly name: string; readonly version: string };
    /** The file that describes the experiment; `null` = none does. */
    readonly file: string | null;
    readonly narrowing: Narrowing;
    /** Where the programs come from, instead of what the request says. */
    readonly code?: Code;
  };

/** An experiment whose runs are executed by workers; the recording and the verdict are made here. */
export async function runFleet(request: FleetRequest, facts: FleetFacts): Promise<SessionResult> {
  const { runOnFleet } = await import('@deadheat/fleet');
  return runOnFleet(await toOptions(request, facts));
}

/** An experiment that is left to the workers; `resumeFleet` gathers what they made. */
export async function detachFleet(request: FleetRequest, facts: FleetFacts): Promise<DetachedExperiment> {
  const { detachOnFleet } = await import('@deadheat/fleet');
  return detachOnFleet(await toOptions(request, facts));
}

async function toOptions(
  { url, hosts, labels, code: asked, confirm, workers = [], priority = 0 }: FleetRequest,
  facts: FleetFacts,
): Promise<RunOnFleetOptions> {
  const { draft, file, narrowing, tool, code, onNotice, ...rest } = facts;
  return {
    ...rest,
    url,
    draft,
    code: code ?? (await resolveCode(asked, { draft, file, narrowing, signal: facts.signal })),
    wish: { hosts, labels, excluded: [], pinned: workers },
    confirm,
    priority,
    toolName: tool.name,
    toolVersion: tool.version,
    onFleetEvent: (event) => onNotice(describe(event)),
  };
}

/** The rest of an experiment whose runs are executed by workers. */
export async function resumeFleet(
  directory: string,
  { toolVersion, onNotice, ...control }: Control & { readonly toolVersion: string; readonly leaves: boolean },
): Promise<SessionResult> {
  const { resumeOnFleet } = await import('@deadheat/fleet');
  return resumeOnFleet({
    ...control,
    directory,
    toolVersion,
    onFleetEvent: (event) => onNotice(describe(event)),
  });
}

function describe(event: SubmitEvent): string {
  switch (event.kind) {
    case 'submitted':
      return `experiment ${event.experiment} on ${event.workers.join(', ')}`;
    case 'worker-joined':
      return `worker ${event.worker} takes part`;
    case 'worker-lost':
      return `worker ${event.worker} is gone; its runs go elsewhere`;
    case 'method-awaited':
      return 'pilot runs choose the method first, then the rest is left to the workers; a file that names one, such as methods: [tandem], is left at once';
    case 'connection-lost':
      return `${event.message} Waiting for it`;
    case 'connection-found':
      return 'the database is there again';
  }
}

/**
 * What the workers are told about where the programs come from.
 *
 * @throws UsageError when it is no commit that they could get; VersionError without a repository
 */
async function resolveCode(
  request: CodeRequest | null,
  facts: {
    readonly draft: ExperimentDraft;
    readonly file: string | null;
    readonly narrowing: Narrowing;
    readonly signal: AbortSignal;
  },
): Promise<Code> {
  const { draft, file, narrowing, signal } = facts;
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
