import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sides, type Failure, type Side, type Warning } from '@deadheat/model';
import { escapeControls } from '@deadheat/model/text';
import type { RunOutcome } from '../run/executor.ts';
import { quoteTail, runProgram, within } from '../run-program.ts';
import type { BenchmarkState } from './benchmark-state.ts';

/** Checking runs before the first measured one, and measured runs after which there is another one. */
const firstChecks = 3;
const checkEvery = 5;

/** From so many checks on a difference counts: one shows no side that differs from itself. */
const fewestChecks = 2;

/** What is known of the outputs of a benchmark. */
interface Seen {
  checks: number;
  /** Digest of the first output of each side; `null` = none was seen. */
  readonly first: Record<Side, string | null>;
  /** Whether a side printed something else than before. */
  readonly varies: Record<Side, boolean>;
  /** Where the outputs of both sides first differed; `null` = nowhere. */
  difference: string | null;
}

interface Judged {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
}

const fine: Judged = { failures: [], warnings: [] };

/** True if both sides are to be run next for their output alone, in a run that is not judged. */
export function isOutputCheckDue({
  config,
  pilots,
  runs,
}: Pick<BenchmarkState, 'config' | 'pilots' | 'runs'>): boolean {
  if (config.sameOutput !== true) return false;
  return pilots < firstChecks || checkEvery * (pilots - firstChecks + 1) <= runs;
}

/** Compares what both sides print, in runs that are not judged. */
export class OutputChecks {
  readonly #seen = new Map<number, Seen>();

  /**
   * Compares the outputs of one run: standard output, behind the normaliser, and exit statuses. Sides that differ fail from the
   * second check on; where A differs from itself nothing follows, which is a warning.
   *
   * @param files standard output of each side
   */
  async judge(
    { index, benchmark, config }: Pick<BenchmarkState, 'index' | 'benchmark' | 'config'>,
    files: Readonly<Record<Side, string>>,
    outcome: RunOutcome,
    signal: AbortSignal,
  ): Promise<Judged> {
    const seen = this.#seen.get(index) ?? {
      checks: 0,
      first: { A: null, B: null },
      varies: { A: false, B: false },
      difference: null,
    };
    this.#seen.set(index, seen);
    const { normaliseOutput = null } = config;
    if (normaliseOutput === null) return this.#compare(benchmark.name, { seen, shown: files, outcome });
    const shown = { A: `${files.A}.same`, B: `${files.B}.same` };
    try {
      for (const side of sides) {
        const unfit = await normalise(normaliseOutput, { side, from: files[side], to: shown[side], signal });
        if (unfit !== null) return { failures: signal.aborted ? [] : [unfit], warnings: [] };
      }
      return await this.#compare(benchmark.name, { seen, shown, outcome });
    } finally {
      for (const side of sides) await rm(shown[side], { force: true });
    }
  }

  async #compare(
    name: string,
    {
      seen,
      shown,
      outcome,
    }: { readonly seen: Seen; readonly shown: Readonly<Record<Side, string>>; readonly outcome: RunOutcome },
  ): Promise<Judged> {
    const statuses = { A: statusesOf(outcome, 'A'), B: statusesOf(outcome, 'B') };
    const digests = { A: await digestOf(shown.A, statuses.A), B: await digestOf(shown.B, statuses.B) };
    for (const side of sides) {
      seen.varies[side] ||= seen.first[side] !== null && seen.first[side] !== digests[side];
      seen.first[side] ??= digests[side];
    }
    seen.checks += 1;
    if (digests.A !== digests.B) {
      seen.difference ??=
        statuses.A === statuses.B ? differenceOf(shown) : `exit status ${statuses.A} against ${statuses.B}`;
    }
    if (seen.varies.A) return { failures: [], warnings: [varying(name)] };
    if (seen.difference === null || seen.checks < fewestChecks) return fine;
    const message =
      `OUTPUTS_DIFFER: the sides do not print the same, so that their times are not compared: ${seen.difference}. If that is meant to differ, ` +
      'take it out with --normalise-output COMMAND, or leave --same-output out';
    return { failures: [{ side: 'B', code: 'OUTPUTS_DIFFER', message }], warnings: [] };
  }
}

function varying(name: string): Warning {
  return {
    code: 'OUTPUTS_VARY',
    message: `${name}: A prints something else in every run, so that nothing follows from a difference to B. Take what varies out with --normalise-output COMMAND.`,
  };
}

/** Exit statuses of the executions of a side, in a row. */
function statusesOf({ sides: outcomes }: RunOutcome, side: Side): string {
  return outcomes[side].executions.map(({ exitCode, signal }) => exitCode ?? signal ?? '?').join(', ');
}

async function digestOf(path: string, statuses: string): Promise<string> {
  const hash = createHash('sha256').update(`${statuses}\n`);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The time that a normaliser has for one output, ms. */
const normaliserMs = 60_000;

/** Executes the normaliser with the output of a side as its standard input; a failure when it fails or takes too long. */
async function normalise(
  command: string,
  facts: { readonly side: Side; readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<Failure | null> {
  const { side, from, to, signal } = facts;
  const script = `{ ${command}\n} < "$0" > "$1"`;
  return within(normaliserMs, signal, async (deadline) => {
    const { status, tail } = await runProgram(['/bin/sh', '-c', script, from, to], { signal: deadline });
    if (status === 0) return null;
    const how = deadline.aborted
      ? `did not end within ${normaliserMs / 1000} s`
      : `failed with status ${status ?? 'of a signal'}`;
    const message = `the command of --normalise-output ${how} on the output of ${side}: ${command}${quoteTail(tail)}`;
    return { side, code: 'BAD_OUTPUT', message };
  });
}

const chunkBytes = 1 << 16;
/** Most characters of a line that are quoted. */
const mostQuoted = 100;

/** The first lines that differ, with their number. */
function differenceOf(files: Readonly<Record<Side, string>>): string {
  const open = { A: openSync(files.A, 'r'), B: openSync(files.B, 'r') };
  try {
    const buffers = { A: Buffer.alloc(chunkBytes), B: Buffer.alloc(chunkBytes) };
    let line = 1;
    let lineStart = 0;
    for (let at = 0; ; at += chunkBytes) {
      const a = buffers.A.subarray(0, readSync(open.A, buffers.A, 0, chunkBytes, at));
      const b = buffers.B.subarray(0, readSync(open.B, buffers.B, 0, chunkBytes, at));
      const most = Math.min(a.length, b.length);
      let same = 0;
      while (same < most && a[same] === b[same]) {
        if (a[same] === 0x0a) {
          line += 1;
          lineStart = at + same + 1;
        }
        same += 1;
      }
      if (same < most || a.length !== b.length || most === 0) {
        return `line ${line} of A is ${lineAt(open.A, lineStart)}, of B ${lineAt(open.B, lineStart)}`;
      }
    }
  } finally {
    closeSync(open.A);
    closeSync(open.B);
  }
}

/** A line that begins at a byte, quoted. */
function lineAt(file: number, start: number): string {
  const buffer = Buffer.alloc(4 * mostQuoted);
  const text = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start)).toString('utf8');
  if (text === '') return 'missing';
  const [line = ''] = text.split('\n');
  return `'${escapeControls(line.slice(0, mostQuoted))}${line.length > mostQuoted ? '…' : ''}'`;
}
