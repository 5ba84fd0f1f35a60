import { homedir, tmpdir } from 'node:os';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runWorker, type Permissions, type WorkerEvent } from '@deadheat/fleet';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { readSubmitted } from './read-submitted.ts';
import { printable } from '@deadheat/report';
import { tool } from '../../version.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface WorkerRequest {
  readonly url: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
  readonly cpus: readonly number[] | null;
  /** CPU of the worker itself. */
  readonly ownCpu: number | null;
  /** `null` = below the user's folder of states. */
  readonly folder: string | null;
  /** `null` = one for the machine. */
  readonly lockFolder: string | null;
}

/** `deadheat worker`. Returns the exit code. */
export async function worker(request: WorkerRequest, terminal: Terminal): Promise<ExitCode> {
  const { env, stderr } = terminal;
  const state = env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state');
  const locks = existsSync('/run/lock') ? '/run/lock' : tmpdir();
  await withInterruption((signal) =>
    runWorker({
      ...request,
      variables: env,
      toolVersion: tool.version,
      readExperiment: readSubmitted(env['PATH'] ?? ''),
      folder: request.folder ?? join(state, 'deadheat', 'worker'),
      lockFolder: request.lockFolder ?? join(locks, 'deadheat-worker'),
      signal,
      onEvent: (event) => {
        stderr.write(`${new Date().toISOString()} ${printable(describe(event))}\n`);
      },
    }),
  );
  return exitCodes.done;
}

function describe(event: WorkerEvent): string {
  switch (event.kind) {
    case 'ready':
      return `worker ${event.worker} is ready`;
    case 'run-started':
      return (
        `${event.experiment} ${event.name}: ${event.phase === 'pilot' ? 'pilot run' : 'run'} ${event.run} of ${event.benchmark}` +
        (event.method === null ? '' : ` by ${event.method}`)
      );
    case 'run-stored':
      return `${event.experiment}: stored`;
    case 'run-dropped':
      return 'a finished run was dropped: it was given to another worker in the meantime';
    case 'run-ended':
      return `${event.experiment}: ${event.why === 'cancelled' ? 'cancelled' : 'given back'}`;
    case 'run-refused':
      return `${event.experiment}: refused: ${event.message}`;
    case 'connection-lost':
      return `${event.message} Waiting for it`;
    case 'connection-found':
      return 'the database is there again';
  }
}
