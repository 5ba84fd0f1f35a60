import { analyse as judge } from 'deadheat';
import type { AnalyseInvocation } from '../arguments/invocation.ts';
import { checkExports, finish } from '../experiment/finish.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `deadheat analyse PATH [PATH]`. Returns the exit code. */
export async function analyse(invocation: AnalyseInvocation, terminal: Terminal): Promise<number> {
  checkExports(invocation.exports);
  const { path, second, reading, segments, confidence, margin, metric, interval, correction } = invocation;
  const report = await judge(second === null ? path : [path, second], {
    segments,
    ...(confidence === null ? {} : { confidence }),
    ...(margin === null ? {} : { margin }),
    ...(metric === null ? {} : { metric }),
    ...(interval === null ? {} : { interval }),
    ...(correction === null ? {} : { correction }),
    ...(reading === null ? {} : { format: reading.formats, unit: reading.unit }),
    ...(reading?.columns == null ? {} : { columns: reading.columns }),
  });
  return finish({ report, outcome: { kind: 'done' }, choices: invocation, terminal });
}
