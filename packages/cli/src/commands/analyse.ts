import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { analyseImported, ImportError } from '@deadheat/readers';
import { analyseRecorded, RecordError } from '@deadheat/engine';
import type { Rejudgement, Report } from '@deadheat/model';
import type { AnalyseInvocation } from '../arguments/invocation.ts';
import { UsageError } from 'deadheat/settings';
import { tool } from '../version.ts';
import { checkExports, finish } from '../experiment/finish.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `deadheat analyse PATH [PATH]`. Returns the exit code. */
export async function analyse(invocation: AnalyseInvocation, terminal: Terminal): Promise<number> {
  checkExports(invocation.exports);
  const { confidence, margin, metric, interval, correction } = invocation;
  const report = await judge(invocation, {
    ...(confidence === null ? {} : { confidence }),
    ...(margin === null ? {} : { margin }),
    ...(metric === null ? {} : { metric }),
    ...(interval === null ? {} : { interval }),
    ...(correction === null ? {} : { correction }),
  });
  return finish({ report, outcome: { kind: 'done' }, choices: invocation, terminal });
}

/** A folder alone is a recording, or where it is none a folder of result files; all else are result files. */
async function judge(invocation: AnalyseInvocation, changes: Rejudgement): Promise<Report> {
  const { path, second, reading, segments } = invocation;
  const readFiles = async (): Promise<Report> => {
    const { columns = null, unit = 'ns', formats = { A: null, B: null } } = reading ?? {};
    return analyseImported({
      paths: second === null ? [path] : [path, second],
      reading: { A: { format: formats.A, columns, unit }, B: { format: formats.B, columns, unit } },
      changes,
      segments,
      tool,
    });
  };
  if (second !== null || reading !== null) {
    refuseRecording(path);
    if (second !== null) refuseRecording(second);
    return readFiles();
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return readFiles();
  try {
    return await analyseRecorded(path, changes, { segments });
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    return readFiles().catch((failure: unknown) => {
      throw failure instanceof ImportError && failure.code === 'NOTHING_TO_IMPORT' ? error : failure;
    });
  }
}

function refuseRecording(path: string): void {
  if (!existsSync(join(path, 'experiment.json'))) return;
  throw new UsageError('CONFLICT', `${path} is a recording, which holds both sides itself`, {
    hint: `Analyse it alone: deadheat analyse ${path}. Two files, and --format, are for results of other tools.`,
  });
}
