import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sides, type Failure, type Side, type Warning } from '@deadheat/model';
import { escapeControls, fillSide } from '@deadheat/model/text';
import { fillResults, findResults } from '@deadheat/readers';
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

/** A file that both sides have to write, and what lay there before a run. */
export interface NamedFile {
  /** As it was asked for. */
  readonly name: string;
  readonly places: Readonly<Record<Side, { readonly path: string; readonly before: ReturnType<typeof findResults> }>>;
}

/**
 * Looks at the files that both sides have to write; to be called before a run.
 *
 * @param folderOf the folder in which a side is executed, absolute
 */
export function namedFiles(
  { benchmark: { params }, config }: Pick<BenchmarkState, 'benchmark' | 'config'>,
  run: number,
  folderOf: (side: Side) => string,
): readonly NamedFile[] {
  function place(side: Side, name: string): NamedFile['places'][Side] {
    const path = resolve(folderOf(side), fillResults(fillSide(name, { params, side }), { side, run }));
    return { path, before: findResults(path) };
  }
  return (config.sameFiles ?? []).map((name) => ({ name, places: { A: place('A', name), B: place('B', name) } }));
}

/** What a side printed, or wrote to a file: where it lies; `null` = it did not write it. */
interface Text {
  /** In a sentence; empty for what it printed. */
  readonly name: string;
  readonly paths: Readonly<Record<Side, string | null>>;
}

/** A file as the sides left it, or why it cannot be compared. */
function textOf({ name, places }: NamedFile): Text | Failure {
  function written({ path, before }: NamedFile['places'][Side]): string | null {
    return [...findResults(path)].find(([found, mark]) => before.get(found) !== mark)?.[0] ?? null;
  }
  const paths = { A: written(places.A), B: written(places.B) };
  const why =
    places.A.path === places.B.path
      ? `both sides write ${places.A.path}, of which one is left: put {side} into its name and into the command, or give each side a folder (--scratch)`
      : paths.A === null && paths.B === null
        ? `no side wrote '${escapeControls(name)}', looked for at ${places.A.path} and ${places.B.path}`
        : null;
  if (why !== null) return { side: 'B', code: 'BAD_OUTPUT', message: `--same-files: ${why}` };
  return { name: ` of '${escapeControls(name)}'`, paths };
}

/** Compares what both sides print and write, in runs that are not judged. */
export class OutputChecks {
  readonly #seen = new Map<number, Seen>();

  /**
   * Compares the outputs of one run: standard output and named files, behind the normaliser, and exit statuses. Sides that differ fail from the
   * second check on; where A differs from itself nothing follows, which is a warning.
   *
   * @param outputs standard output of each side, and the files that were looked at before the run
   */
  async judge(
    { index, benchmark, config }: Pick<BenchmarkState, 'index' | 'benchmark' | 'config'>,
    outputs: { readonly printed: Readonly<Record<Side, string>>; readonly named: readonly NamedFile[] },
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
    const texts: Text[] = [{ name: '', paths: outputs.printed }];
    for (const file of outputs.named) {
      const text = textOf(file);
      if ('code' in text) return { failures: [text], warnings: [] };
      texts.push(text);
    }
    const { normaliseOutput = null } = config;
    if (normaliseOutput === null) return this.#compare(benchmark.name, { seen, texts, outcome });
    const { printed } = outputs;
    const wanted = texts.map((text, at) => ({
      text,
      to: { A: `${printed.A}.same${at}`, B: `${printed.B}.same${at}` },
    }));
    try {
      const shown: Text[] = [];
      for (const { text, to } of wanted) {
        const own = await normalised(text, { command: normaliseOutput, to, signal });
        if ('code' in own) return { failures: signal.aborted ? [] : [own], warnings: [] };
        shown.push(own);
      }
      return await this.#compare(benchmark.name, { seen, texts: shown, outcome });
    } finally {
      for (const { to } of wanted) for (const side of sides) await rm(to[side], { force: true });
    }
  }

  async #compare(
    name: string,
    { seen, texts, outcome }: { readonly seen: Seen; readonly texts: readonly Text[]; readonly outcome: RunOutcome },
  ): Promise<Judged> {
    const statuses = { A: statusesOf(outcome, 'A'), B: statusesOf(outcome, 'B') };
    const digests = { A: await digestOf(texts, 'A', statuses.A), B: await digestOf(texts, 'B', statuses.B) };
    for (const side of sides) {
      seen.varies[side] ||= seen.first[side] !== null && seen.first[side] !== digests[side].join();
      seen.first[side] ??= digests[side].join();
    }
    seen.checks += 1;
    const differing = digests.A.findIndex((digest, at) => digest !== digests.B[at]);
    const text = texts[differing - 1];
    if (differing >= 0) {
      seen.difference ??= text === undefined ? `exit status ${statuses.A} against ${statuses.B}` : differenceOf(text);
    }
    if (seen.varies.A) return { failures: [], warnings: [varying(name)] };
    if (seen.difference === null || seen.checks < fewestChecks) return fine;
    const message =
      `OUTPUTS_DIFFER: the sides do not print or write the same, so that their times are not compared: ${seen.difference}. If that is meant to differ, ` +
      'take it out with --normalise-output COMMAND, or leave --same-output and --same-files out';
    return { failures: [{ side: 'B', code: 'OUTPUTS_DIFFER', message }], warnings: [] };
  }
}

function varying(name: string): Warning {
  return {
    code: 'OUTPUTS_VARY',
    message: `${name}: A prints or writes something else in every run, so that nothing follows from a difference to B. Take what varies out with --normalise-output COMMAND.`,
  };
}

/** Exit statuses of the executions of a side, in a row. */
function statusesOf({ sides: outcomes }: RunOutcome, side: Side): string {
  return outcomes[side].executions.map(({ exitCode, signal }) => exitCode ?? signal ?? '?').join(', ');
}

/** The exit statuses and a digest of each text of a side. */
async function digestOf(texts: readonly Text[], side: Side, statuses: string): Promise<readonly string[]> {
  const digests = [statuses];
  for (const { paths } of texts) {
    const path = paths[side];
    const hash = createHash('sha256');
    if (path !== null) await pipeline(createReadStream(path), hash);
    digests.push(path === null ? '-' : hash.digest('hex'));
  }
  return digests;
}

/** A text as the normaliser leaves it, or why that fails. */
async function normalised(
  { name, paths }: Text,
  facts: { readonly command: string; readonly to: Readonly<Record<Side, string>>; readonly signal: AbortSignal },
): Promise<Text | Failure> {
  const { command, to, signal } = facts;
  const shown: Record<Side, string | null> = { A: null, B: null };
  for (const side of sides) {
    const from = paths[side];
    if (from === null) continue;
    const unfit = await normalise(command, { side, from, to: to[side], signal });
    if (unfit !== null) return unfit;
    shown[side] = to[side];
  }
  return { name, paths: shown };
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

/** The first lines that differ, with their number, or the side that has none. */
function differenceOf({ name, paths: { A, B } }: Text): string {
  if (A === null || B === null) return `${A === null ? 'A' : 'B'} did not write${name.replace(/^ of/, '')}`;
  const open = { A: openSync(A, 'r'), B: openSync(B, 'r') };
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
        return `line ${line}${name} of A is ${lineAt(open.A, lineStart)}, of B ${lineAt(open.B, lineStart)}`;
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
