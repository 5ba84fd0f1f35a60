import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkParts } from '@deadheat/engine';
import { type ArrayProgress, type FailedPart, SlurmArray } from '@deadheat/fleet';
import { countOf } from '@deadheat/report';
import { narrowDraft, readConfig } from 'deadheat/internals';
import { exitCodes } from '../../errors/exit-codes.ts';
import { mergeParts } from '../../experiment/merge-parts.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports } from '../../experiment/finish.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { RunInvocation, SlurmRequest } from './invocation.ts';

const bin = fileURLToPath(new URL('../../../bin/deadheat.js', import.meta.url));

type Run = Extract<RunInvocation, { kind: 'run' }>;

/** An experiment on the nodes of a cluster. */
interface SlurmRun {
  readonly invocation: Run;
  readonly slurm: SlurmRequest;
}

/** `deadheat run --engine slurm`: parts of an experiment as an array job, brought together at its end. Returns the exit code. */
export async function runOnSlurm({ invocation, slurm }: SlurmRun, terminal: Terminal): Promise<number> {
  const { hosts, options } = slurm;
  checkExports(invocation.exports);
  const id = randomBytes(8).toString('hex');
  const searchPath = terminal.env['PATH'] ?? '';
  // What is wrong with the file is to be told here, not by every node.
  const read = readConfig(invocation.file, { cwd: process.cwd(), searchPath, defaultSeed: id });
  const draft = narrowDraft(read, invocation);
  checkParts(draft, hosts);
  const folder = resolve(invocation.output === null ? '.deadheat' : dirname(invocation.output), `slurm-${id}`);
  const job = {
    name: `deadheat-${draft.name}`,
    folder,
    workingDirectory: process.cwd(),
    parts: hosts,
    program: [process.execPath, bin, 'run', '--no-summary'] as const,
    begin: [...wordsOf(invocation), '--experiment-id', id],
  };
  const failed = await withInterruption(async (signal) => {
    const array = await SlurmArray.submit(job, options);
    terminal.stderr.write(`deadheat: Slurm job ${array.id}, ${countOf(hosts, 'part')}, in ${folder}\n`);
    try {
      return await array.wait({ signal, onProgress: teller(terminal) });
    } catch (error) {
      if (!signal.aborted) throw error;
      await array.cancel();
      return null;
    }
  });
  if (failed === null) {
    terminal.stderr.write(
      `deadheat: interrupted; the job was cancelled. Judge what is there with: deadheat merge ${folder}\n`,
    );
    return exitCodes.interrupted;
  }
  if (failed.length > 0) {
    for (const part of failed) terminal.stderr.write(describe(part, { hosts, folder }));
    terminal.stderr.write(`deadheat: judge what is there with: deadheat merge ${folder}\n`);
    return exitCodes.workload;
  }
  const exitCode = await mergeParts({ recordings: [folder], output: invocation.output, choices: invocation }, terminal);
  await rm(folder, { recursive: true, force: true });
  return exitCode;
}

/** What every part is given of what was typed. */
function wordsOf({ file, filter, methods, seed, maxTimeNs, control, correction }: Run): readonly string[] {
  return [
    ...(file === null ? [] : [file]),
    ...filter.flatMap((pattern) => ['--filter', pattern]),
    ...methods.flatMap((method) => ['--method', method]),
    ...(seed === null ? [] : ['--seed', seed]),
    ...(maxTimeNs === null ? [] : ['--max-time', `${maxTimeNs}ns`]),
    ...(control ? ['--control'] : []),
    ...(correction === null ? [] : ['--correction', correction]),
  ];
}

function describe({ part, exitCode, log }: FailedPart, { hosts, folder }: { hosts: number; folder: string }): string {
  const end = exitCode === null ? 'did not come to its end' : `ended with ${exitCode}`;
  const lines = log.trimEnd().split('\n').slice(-5);
  const said = log.trim() === '' ? '' : `\n${lines.map((line) => `  ${line}`).join('\n')}`;
  return `deadheat: part ${part}/${hosts} ${end} (${join(folder, `${part}.log`)})${said}\n`;
}

/** Tells how the job stands whenever that has changed. */
function teller({ stderr }: Terminal): (progress: ArrayProgress) => void {
  let told = '';
  return ({ waiting, reason, running, ended, runs }) => {
    const waits = waiting === 0 ? '' : `, ${waiting} waiting (${reason ?? 'no reason given'})`;
    const line = `deadheat: ${countOf(runs, 'run')}; ${countOf(ended, 'part')} done, ${running} running${waits}\n`;
    if (line !== told) stderr.write(line);
    told = line;
  };
}
