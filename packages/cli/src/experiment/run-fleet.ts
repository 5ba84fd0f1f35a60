import { existsSync } from 'node:fs';
import type { ExperimentDraft, SessionResult } from '@deadheat/engine';
import { resumeOnFleet, runOnFleet, type SubmitEvent } from '@deadheat/fleet';
import type { EngineEvent } from '@deadheat/model';
import type { Narrowing } from 'deadheat/internals';
import type { FleetRequest } from './fleet-request.ts';
import { resolveCode } from './resolve-code.ts';
import { tool } from '../version.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface FleetControl {
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
