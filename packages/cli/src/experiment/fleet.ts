import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type ExperimentDraft, findCommit, openRepository, originOf, type SessionResult } from '@deadheat/engine';
import { type Code, resumeOnFleet, runOnFleet, type SubmitEvent } from '@deadheat/fleet';
import type { EngineEvent } from '@deadheat/model';
import type { Narrowing } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import type { Terminal } from '../terminal/terminal.ts';
import { tool } from '../version.ts';

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
}

interface FleetControl {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  /** Writes a line beside the progress. */
  readonly tell: (text: string) => void;
}

/** `deadheat run --fleet`: the runs are made by workers, the recording and the verdict here. */
export async function runFleet(
  { url, hosts, labels, code, confirm }: FleetRequest,
  facts: FleetControl & {
    readonly draft: ExperimentDraft;
    readonly file: string | null;
    readonly narrowing: Narrowing;
    readonly directory: string | null;
    readonly parent: string;
    readonly terminal: Terminal;
  },
): Promise<SessionResult> {
  const { draft, narrowing, directory, parent, terminal, signal, onEvent, tell } = facts;
  const file = facts.file ?? ['deadheat.yaml', 'deadheat.yml'].find((name) => existsSync(name)) ?? 'deadheat.yaml';
  return runOnFleet({
    url,
    variables: terminal.env,
    draft,
    code: await resolveCode(code, { draft, file, narrowing, signal }),
    wish: { hosts, labels, excluded: [] },
    confirm,
    directory,
    parent,
    toolName: tool.name,
    toolVersion: tool.version,
    signal,
    onEvent,
    onFleetEvent: (event) => tell(describe(event)),
  });
}

/** `deadheat --resume` of a recording whose runs a fleet makes. */
export async function resumeFleet(
  directory: string,
  { signal, onEvent, tell, terminal }: FleetControl & { readonly terminal: Terminal },
): Promise<SessionResult> {
  return resumeOnFleet({
    directory,
    variables: terminal.env,
    toolVersion: tool.version,
    signal,
    onEvent,
    onFleetEvent: (event) => tell(describe(event)),
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
