import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionProfile } from '../src/profile-builder.ts';
import { ThreadTimes, withMachineThreads, workOfThread } from '../src/machine-threads.ts';
import { jfrEvents, readJfr } from '../src/read-jfr.ts';
import { readV8Log } from '../src/read-v8-log.ts';
import { runtimeOf } from '../src/profile-program.ts';
import { readWallClock, wallClockBetween } from '../src/profile-clock.ts';

// shifting.v8.log: examples/shifting under node 20.20 --prof, every 25th tick and the code it lies in. sort.jfr.txt: clients/java/examples
// under JDK 17, every 8th sample, five frames each.
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** How many samples lie in what. */
function seenIn({ places, code }: ExecutionProfile): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const place of places) {
    const { kind, isReplaced } = code[place]!;
    const name = isReplaced ? `(${kind})` : kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("V8's log", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-profile-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function logOf(...lines: readonly string[]): string {
    const path = join(folder, 'v8.log');
    writeFileSync(path, `${lines.join('\n')}\nprofiler,end\n`);
    return path;
  }
  const clock = [0, 1].map(
    (i) => `code-creation,Script,10,${100 + 10 * i},0x1,3, deadheat-clock:${i}:${1_090_000 + 12_000 * i}:1:1,0x2,~`,
  );

  it('of a real run: optimized code that goes on running is not replaced by what is made later', async () => {
    const profile = await readV8Log(fixture('shifting.v8.log'));
    expect(seenIn(profile)).toEqual({ compiler: 6, native: 6, turbofan: 42 });
    // Between the first iteration, which started at 18436.246 s, and the last, which ended at 18438.486 s, and around them.
    expect(profile.timesNs[0]).toBeLessThan(18_436.246e9);
    expect(profile.timesNs.at(-1)! - 18_438.486e9).toBeGreaterThan(-1e8);
    expect(profile.clockErrorNs).toBeLessThan(1e5);
  });

  it('holds every kind of code apart, and leaves waiting out', async () => {
    const f = 'f file:///a.js:1:1';
    const path = logOf(
      ...clock,
      'code-creation,Builtin,2,1,0x1000,16,ArrayMap',
      'code-creation,BytecodeHandler,0,1,0x1100,16,Ldar',
      `code-creation,JS,11,200,0x2000,16,${f},0x5,^`,
      `code-creation,JS,12,300,0x3000,16,${f},0x5,+`,
      `code-creation,JS,13,400,0x4000,16,${f},0x5,*`,
      'code-creation,RegExp,3,400,0x5000,16,a+',
      'tick,0x1008,500,0,0x0,0',
      'tick,0x1108,501,0,0x0,0',
      'tick,0x2008,502,0,0x0,0',
      'tick,0x3008,503,0,0x0,0',
      'tick,0x400f,504,0,0x0,0',
      'tick,0x4010,505,0,0x0,0',
      'tick,0x4008,506,0,0x0,1',
      'tick,0x4008,507,0,0x0,4',
      'tick,0x5008,508,0,0x0,0',
      'tick,0x1008,509,1,0x9,6',
      'tick,0x1008,510,0,0x0,8',
      'tick,0x4008,590,0,0x0,0',
    );
    const profile = await readV8Log(path);
    expect(seenIn(profile)).toEqual({
      builtin: 1,
      interpreter: 1,
      '(baseline)': 1,
      '(maglev)': 1,
      turbofan: 2,
      native: 2,
      'garbage collector': 1,
      compiler: 1,
      'other code': 1,
    });
    // 1 090 000 was read before 100 us of the log, 1 102 000 before 110 us and after 100 us: the offset is 991 000 to 1 002 000.
    expect(profile.timesNs[0]).toBe(500_000 + 996_500);
    expect(profile.clockErrorNs).toBe(5500);
  });

  it('follows code that is moved, and that is written over', async () => {
    const path = logOf(
      ...clock,
      'code-creation,JS,11,200,0x2000,16,f a.js:1:1,0x5,^',
      'code-move,0x2000,0x3000',
      'tick,0x3008,500,0,0x0,0',
      'code-creation,JS,13,600,0x2ff8,32,g a.js:2:1,0x6,*',
      'tick,0x3008,700,0,0x0,0',
    );
    expect(seenIn(await readV8Log(path))).toEqual({ baseline: 1, turbofan: 1 });
  });

  it('is refused with its code: absent, without ticks, without a clock, malformed', async () => {
    await expect(readV8Log(join(folder, 'none'))).rejects.toMatchObject({ code: 'PROFILE_MISSING' });
    await expect(readV8Log(logOf(...clock))).rejects.toMatchObject({ code: 'PROFILE_MISSING' });
    await expect(readV8Log(logOf('tick,0x1,5,0,0x0,0'))).rejects.toMatchObject({ code: 'PROFILE_CLOCK' });
    const bad = logOf('v8-version,11', 'tick,0x1,five,0,0x0,0');
    await expect(readV8Log(bad)).rejects.toMatchObject({ code: 'PROFILE_MALFORMED', message: /v8\.log:2: .*'five'/ });
  });

  it('may end within a line', async () => {
    const path = join(folder, 'v8.log');
    writeFileSync(path, `${clock.join('\n')}\ntick,0x1,5,0,0x0,0\ntick,0x`);
    expect((await readV8Log(path)).timesNs).toHaveLength(1);
  });
});

describe("JFR's events", () => {
  const name = 'sort';
  const originNs = BigInt(Date.parse('2026-11-21T17:10:24Z')) * 1_000_000n;
  const clock = { originNs, offsetNs: 1000, errorNs: 1 };
  const text = readFileSync(fixture('sort.jfr.txt'), 'utf8');

  it('of a real run: the level is that of the last compilation of what the topmost frame was inlined into', async () => {
    const profile = await readJfr(jfrEvents(createReadStream(fixture('sort.jfr.txt'), 'utf8'), name), { name, clock });
    // Of what else is sampled compilations were left out of the fixture.
    expect(seenIn(profile)).toEqual({ interpreter: 3, '(level 3)': 1, 'level 4': 9, unknown: 1 });
    expect(profile.timesNs[0]).toBe(139_595_499 + 1000);
    expect(profile.code.filter(({ isLastTier }) => isLastTier).every(({ kind }) => kind === 'level 4')).toBe(true);
  });

  it('count native methods of threads that run Java code, but not those in which a thread waits', async () => {
    const at = (type: string, thread: string, method: string, frame: string): string =>
      JSON.stringify({
        type,
        values: {
          startTime: '2026-11-21T17:10:25Z',
          sampledThread: { javaName: thread },
          stackTrace: { frames: [{ method: { type: { name: 'a/B' }, name: method, descriptor: '()V' }, type: frame }] },
        },
      }).slice(1, -1);
    const events = [
      at('jdk.ExecutionSample', 'main', 'run', 'Interpreted'),
      at('jdk.NativeMethodSample', 'main', 'deflateBytesBytes', 'Native'),
      at('jdk.NativeMethodSample', 'main', 'epollWait', 'Native'),
      at('jdk.NativeMethodSample', 'other', 'deflateBytesBytes', 'Native'),
    ];
    const printed = `    "events": [{\n${events.join('\n    }, {\n')}\n    }]\n`;
    expect(seenIn(await readJfr(jfrEvents(Readable.from([printed]), name), { name, clock }))).toEqual({
      interpreter: 1,
      native: 1,
    });
  });

  it('are refused when they end early, are none, or lack what is read', async () => {
    const read = async (part: string): Promise<ExecutionProfile> =>
      readJfr(jfrEvents(Readable.from([part]), name), { name, clock });
    await expect(read(text.slice(0, -500))).rejects.toMatchObject({ code: 'PROFILE_MALFORMED' });
    await expect(read(text.replace('"type": "jdk.', '"type" "jdk.'))).rejects.toMatchObject({
      code: 'PROFILE_MALFORMED',
      message: /sort:\d+: this event is no JSON/,
    });
    await expect(read(text.replace('2026-11-21T', 'today '))).rejects.toMatchObject({
      code: 'PROFILE_MALFORMED',
      message: /is no time/,
    });
    await expect(read('{\n  "recording": {\n    "events": []\n  }\n}\n')).rejects.toMatchObject({
      code: 'PROFILE_MISSING',
    });
  });
});

describe('threads of the virtual machine', () => {
  it('are told by the names that HotSpot gives them', () => {
    const named = [
      'C2 CompilerThre',
      'GC Thread#0',
      'G1 Conc#0',
      'VM Thread',
      'JFR Recorder Th',
      'java',
      'main',
      'worker-1',
    ];
    expect(named.map((thread) => workOfThread(thread))).toEqual([
      'compiler',
      'garbage collector',
      'garbage collector',
      'virtual machine',
      'profiler',
      null,
      null,
      null,
    ]);
  });

  it('are samples of as much CPU time as one of the program stands for', () => {
    const profile: ExecutionProfile = {
      timesNs: Float64Array.of(10, 40),
      places: Int32Array.of(0, 0),
      code: [{ kind: 'level 4', method: 'f', isLastTier: true, isReplaced: false }],
      compiledNs: new Float64Array(0),
      kinds: ['compiler', 'level 4'],
      clockErrorNs: 0,
    };
    const times = [
      { timeNs: 20, work: null, usedNs: 20 },
      { timeNs: 20, work: 'compiler', usedNs: 14 },
      { timeNs: 30, work: 'compiler', usedNs: 7 },
    ] as const;
    // 20 ns for two samples, so 10 each: the 14 are one, and with the 4 that are left the 7 are another.
    const joined = withMachineThreads(profile, times);
    expect([...joined.timesNs]).toEqual([10, 20, 30, 40]);
    expect([...joined.places].map((place) => joined.code[place]?.kind)).toEqual([
      'level 4',
      'compiler',
      'compiler',
      'level 4',
    ]);
    expect(withMachineThreads(profile, times.slice(1))).toBe(profile);
  });

  it('are read where the kernel counts them, each from its last reading on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-threads-'));
    const say = (id: string, name: string, usedNs: number): void => {
      mkdirSync(join(folder, id), { recursive: true });
      writeFileSync(join(folder, id, 'comm'), `${name}\n`);
      writeFileSync(join(folder, id, 'schedstat'), `${usedNs} 5 1\n`);
    };
    const threads = new ThreadTimes(0, folder);
    try {
      say('1', 'java', 100);
      say('2', 'C1 CompilerThre', 30);
      say('3', 'JFR Recorder Th', 1000);
      threads.read();
      say('1', 'java', 150);
      threads.read();
      const seen = threads.end().map(({ work, usedNs }) => [work, usedNs]);
      expect(seen.slice(0, 2)).toEqual([
        [null, 100],
        ['compiler', 30],
      ]);
      expect(seen.slice(2)).toEqual([[null, 50]]);
    } finally {
      threads.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the wall clock', () => {
  it('lies against the monotonic one where readings say, the error covering both', () => {
    const first = { wallMs: 1000, beforeNs: 5_000_000n, afterNs: 5_000_100n };
    const last = { wallMs: 1002, beforeNs: 7_000_200n, afterNs: 7_000_300n };
    // Counted from 1000 ms: 5 000 000 to 5 000 100 at first, 5 000 200 to 5 000 300 at last.
    expect(wallClockBetween(first, last)).toEqual({ originNs: 1_000_000_000n, offsetNs: 5_000_150, errorNs: 150 });
  });

  it('is read at the beginning of a millisecond', () => {
    const { wallMs, beforeNs, afterNs } = readWallClock();
    expect(Math.abs(Date.now() - wallMs)).toBeLessThan(3_600_000);
    expect(afterNs).toBeGreaterThan(beforeNs);
  });
});

describe('the runtime of a program', () => {
  it('is told by the name of its file, also behind a link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-profile-'));
    try {
      writeFileSync(join(folder, 'node'), '');
      symlinkSync(join(folder, 'node'), join(folder, 'current'));
      expect(runtimeOf([join(folder, 'current')])).toBe('node');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(['/usr/bin/nodejs', '/opt/node-20', '/jdk/bin/java'].map((path) => runtimeOf([path]))).toEqual([
      'node',
      'node',
      'java',
    ]);
    expect(() => runtimeOf(['/usr/bin/python3', 'node'])).toThrow(/neither node nor java/);
  });
});
