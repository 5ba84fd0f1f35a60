import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExecutionProfile } from '@deadheat/analysis';
import {
  clockScript,
  clockScripts,
  jfrEvents,
  ProfileError,
  readJfr,
  readV8Log,
  readWallClock,
  wallClockBetween,
  type Runtime,
} from './index.ts';

/** How a program is started so that it is profiled, and how the profile is read once it has ended. */
export interface ProfiledLaunch {
  readonly argv: readonly string[];
  /** @param pid that of the program that was started. */
  readonly read: (pid: number) => Promise<ExecutionProfile>;
}

/** @param folder where the profile is written: empty, and the caller's to remove. */
export function profiledLaunch(runtime: Runtime, argv: readonly string[], folder: string): ProfiledLaunch {
  return runtime === 'node' ? launchNode(argv, folder) : launchJava(argv, folder);
}

/** Runs in the program before its own code: scripts whose entries in the log hold the time. */
const tellTheTime = `'use strict';
if (require('node:worker_threads').isMainThread) {
  const { Script } = require('node:vm');
  for (let i = 0; i < ${clockScripts}; i++) new Script('0', { filename: \`${clockScript}:\${i}:\${process.hrtime.bigint()}\` });
}
`;

function launchNode([program = '', ...rest]: readonly string[], folder: string): ProfiledLaunch {
  const clock = join(folder, 'clock.cjs');
  writeFileSync(clock, tellTheTime);
  return {
    argv: [program, '--prof', `--logfile=${join(folder, 'v8.log')}`, '--require', clock, ...rest],
    read: async (pid) => {
      // Workers and child processes write logs of their own. The main thread's is the one that tells the time.
      const logs = readdirSync(folder).filter((name) => name.endsWith(`-${pid}-v8.log`));
      let why: unknown = new ProfileError(
        'PROFILE_MISSING',
        `${program} left no log of V8: it did not take --prof, or was ended before it wrote one. Does it run with node --prof?`,
      );
      for (const log of logs) {
        try {
          return await readV8Log(join(folder, log));
        } catch (error) {
          if (!(error instanceof ProfileError) || !['PROFILE_CLOCK', 'PROFILE_MISSING'].includes(error.code))
            throw error;
          why = error;
        }
      }
      throw why;
    },
  };
}

/** What JFR records, and how often. It takes no shorter period than 10 ms. */
const recorded = `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
  <event name="jdk.Compilation"><setting name="enabled">true</setting><setting name="threshold">0 ms</setting></event>
</configuration>
`;
/** Frames that are printed of a stack: those that were inlined, and the one that they were inlined into. */
const deepestInlining = '64';

function launchJava([program = '', ...rest]: readonly string[], folder: string): ProfiledLaunch {
  const jfr = findJfr(program);
  const settings = join(folder, 'profile.jfc');
  const recording = join(folder, 'recording.jfr');
  writeFileSync(settings, recorded);
  const before = readWallClock();
  return {
    argv: [program, `-XX:StartFlightRecording=settings=${settings},filename=${recording}`, ...rest],
    read: async () => {
      const clock = wallClockBetween(before, readWallClock());
      if (!existsSync(recording)) {
        throw new ProfileError(
          'PROFILE_MISSING',
          `${program} left no recording of JFR: it takes no -XX:StartFlightRecording, or did not end by itself. Use a JDK of 17 or later.`,
        );
      }
      const events = 'jdk.Compilation,jdk.ExecutionSample';
      const print = spawn(jfr, ['print', '--json', '--events', events, '--stack-depth', deepestInlining, recording], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const failed = new Promise<never>((_, reject) => {
        print.once('error', (cause) => {
          reject(new ProfileError('NO_JFR_TOOL', `cannot start ${jfr}: ${cause.message}. Install a JDK.`, { cause }));
        });
      });
      try {
        return await Promise.race([
          readJfr(jfrEvents(print.stdout, 'the recording of JFR'), { name: 'the recording of JFR', clock }),
          failed,
        ]);
      } finally {
        print.kill('SIGKILL');
      }
    },
  };
}

/** `jfr` lies where the program's own `java` does. */
function findJfr(program: string): string {
  const beside = join(dirname(realpathSync(program)), 'jfr');
  if (existsSync(beside)) return beside;
  throw new ProfileError(
    'NO_JFR_TOOL',
    `there is no jfr beside ${program}, which reads what the virtual machine records. Start the java of a JDK of 17 or later.`,
  );
}
