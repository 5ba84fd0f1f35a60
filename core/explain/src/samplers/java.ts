import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeadheatError, type Frame } from '@deadheat/model';
import { jfrEvents } from '@deadheat/profiles';
import { RunCollector } from '../sampled-run.ts';
import { type Sampler, withFirst } from './sampler.ts';

const settings = `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
</configuration>
`;

interface JavaFrame {
  readonly method: { readonly type: { readonly name: string }; readonly name: string };
}

/** Java Flight Recorder. */
export const javaSampler: Sampler = {
  runtime: 'java',
  name: 'Java Flight Recorder',
  // It takes no shorter period.
  leastIntervalNs: 10_000_000,
  repeats: false,
  check: async () => {},
  launch: ({ argv, environment }, { folder }) => {
    const file = join(dirname(folder), 'samples.jfc');
    if (!existsSync(file)) writeFileSync(file, settings);
    const value = `-XX:StartFlightRecording=settings=${file},filename=${folder}/`;
    return { argv, environment: withFirst(environment, { name: 'JAVA_TOOL_OPTIONS', value, separator: ' ' }) };
  },
  read: async (folder) => {
    const run = new RunCollector();
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.jfr'))) {
      const print = spawn(
        'jfr',
        ['print', '--json', '--events', 'jdk.ExecutionSample', '--stack-depth', '64', join(folder, name)],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const failed = new Promise<never>((_, reject) => {
        print.once('error', (cause) => {
          const message = `cannot start jfr, which reads recordings of Java: ${cause.message}. Put the bin of a JDK of 17 or later in PATH.`;
          reject(new DeadheatError('NO_JFR_TOOL', message, { cause }));
        });
      });
      try {
        await Promise.race([addExecutionSamples(jfrEvents(print.stdout, name), run), failed]);
      } finally {
        print.kill('SIGKILL');
      }
    }
    return run.build();
  },
};

/** Adds the samples of running Java code among the events of a recording. Methods of one name in a class are one function. */
export async function addExecutionSamples(events: ReturnType<typeof jfrEvents>, run: RunCollector): Promise<void> {
  for await (const { type, values } of events) {
    if (type !== 'jdk.ExecutionSample') continue;
    const trace = values['stackTrace'] as { readonly frames: readonly JavaFrame[] } | null;
    const frames = (trace?.frames ?? []).map((frame) => run.frame(toFrame(frame))).toReversed();
    if (frames.length > 0) run.add(frames, 1);
  }
}

function toFrame({ method: { type, name } }: JavaFrame): Frame {
  const outer = type.name.replaceAll('.', '/').replace(/\$.*$/, '');
  return { name: `${type.name.split(/[./]/).at(-1)}.${name}`, file: `${outer}.java`, line: null };
}
