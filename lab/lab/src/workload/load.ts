import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import {
  badValue,
  choice,
  type Command,
  defineCommand,
  exitCodes,
  flag,
  group,
  option,
  parseDuration,
  type Terminal,
  text,
  UsageError,
  type ValueParser,
  withInterruption,
} from '@deadheat/cli/kit';
import { formatStretch } from '@deadheat/report';
import { longestTimerMs } from '@deadheat/sync';
import { burstPhases, languages, leastMeanNs, leastPeriodNs, type LoadOptions, startLoad } from '@deadheat/workloads';

const usualMeanNs = 200e6;
/** ICPE'20, section 4.3: the load of its private cloud goes from idle to its peak and back in about 150 minutes. */
const usualPeriodNs = 150 * 60e9;

/** `deadheat lab workload load`. */
export const load: Command = defineCommand({
  description:
    'Competes for the cores with the other programs on this machine, until --duration has passed, until it is interrupted, or until the process that started it ends.',
  options: {
    ...group('When and where:', {
      mode: option('--mode <MODE>', {
        help: 'how the load behaves: idle, busy, bursts of random length, or waves that rise and fall slowly',
        parse: choice<LoadOptions['plan']['mode']>(['idle', 'busy', 'bursts', 'waves']),
        default: 'bursts',
      }),
      cores: option('--cores <LIST>', {
        help: 'cores to load: all, or CPU numbers such as 0,2. Bursts begin on all of them at the same time',
        parse: () => parseCores,
        default: 'all',
      }),
      busy: option('--busy <TIME>', {
        help: 'mean length of a burst',
        parse: parseLeast(leastMeanNs, '1ms'),
        fallback: '200ms',
      }),
      idle: option('--idle <TIME>', {
        help: 'mean length of a pause',
        parse: parseLeast(leastMeanNs, '1ms'),
        fallback: '200ms',
      }),
      period: option('--period <TIME>', {
        help: 'length of a wave, from idle over busy to idle',
        parse: parseLeast(leastPeriodNs, '2s'),
        fallback: '150m',
      }),
      seed: option('--seed <TEXT>', {
        help: 'seed of the random lengths; the same seed gives the same bursts',
        parse: text('a text that is not empty'),
      }),
      duration: option('--duration <TIME>', { help: 'stop after this time', parse: parseDuration }),
      dryRun: flag('--dry-run', {
        help: 'only print the times at which the load would be busy, for 10 s or for --duration',
      }),
    }),
    ...group('Kind of load:', {
      work: option('--work <KIND>', {
        help: 'what the load uses: integer = the cores, memory = the cores and memory bandwidth',
        parse: choice<'integer' | 'memory'>(['integer', 'memory']),
        default: 'integer',
      }),
      priority: option('--priority <PRIORITY>', {
        help: 'priority of the load: normal, or realtime, which runs before all other programs if the system allows it and needs --language c',
        parse: choice<'normal' | 'realtime'>(['normal', 'realtime']),
        default: 'normal',
      }),
      language: option('--language <LANGUAGE>', {
        help: 'language of the workload: js, or c, which needs a C compiler at the first use',
        parse: choice(languages),
        default: 'js',
      }),
    }),
  },
  act: async (values, _args, terminal) => {
    const { cores, language, work, priority, duration, dryRun } = values;
    if (priority === 'realtime' && language !== 'c') {
      throw new UsageError('CONFLICT', '--priority realtime is there in C only', { hint: 'Add --language c.' });
    }
    const options = { plan: toPlan(values), cpus: cores, language, work, priority };
    return runLoad({ load: options, durationNs: duration, dryRun }, terminal);
  },
});

function toPlan({
  mode,
  busy,
  idle,
  period,
  seed,
}: {
  readonly mode: LoadOptions['plan']['mode'];
  readonly busy: number | null;
  readonly idle: number | null;
  readonly period: number | null;
  readonly seed: string | null;
}): LoadOptions['plan'] {
  const own = { bursts: ['--busy', '--idle', '--seed'], waves: ['--period'] };
  const typed = Object.entries({ '--busy': busy, '--idle': idle, '--seed': seed, '--period': period });
  for (const [belonging, names] of Object.entries(own)) {
    const stray = typed.find(([name, value]) => belonging !== mode && names.includes(name) && value !== null);
    if (stray === undefined) continue;
    throw new UsageError('CONFLICT', `${stray[0]} has no meaning with --mode ${mode}`, {
      hint: `It belongs to --mode ${belonging}.`,
    });
  }
  if (mode === 'waves') return { mode, periodNs: period ?? usualPeriodNs };
  if (mode !== 'bursts') return { mode };
  return {
    mode,
    seed: seed ?? randomBytes(4).toString('hex'),
    busyMeanNs: busy ?? usualMeanNs,
    idleMeanNs: idle ?? usualMeanNs,
  };
}

function parseLeast(leastNs: number, least: string): ValueParser<number> {
  return (name) => {
    const parse = parseDuration(name);
    return (value) => {
      const ns = parse(value);
      if (ns < leastNs) throw badValue(name, value, { allowed: `at least ${least}` });
      return ns;
    };
  };
}

function parseCores(value: string): 'all' | readonly number[] {
  if (value === 'all') return 'all';
  const allowed = 'all, or different CPU numbers such as 0 or 0,2';
  const start = /^(?:\d+,)*\d*/.exec(value)?.[0] ?? '';
  if (!/^\d{1,6}(?:,\d{1,6})*$/.test(value)) throw badValue('--cores', value, { allowed, offset: start.length });
  const cores = value.split(',').map(Number);
  if (new Set(cores).size < cores.length) throw badValue('--cores', value, { allowed });
  return cores;
}

/** A load as it was asked for. */
interface LoadInvocation {
  readonly load: LoadOptions;
  /** `null` = until it is interrupted. */
  readonly durationNs: number | null;
  readonly dryRun: boolean;
}

const dryRunNs = 10e9;
const parentCheckMs = 200;

/** Competes until its time is over, it is interrupted, or its parent is gone. */
async function runLoad({ load, durationNs, dryRun }: LoadInvocation, terminal: Terminal): Promise<number> {
  if (dryRun) {
    terminal.stdout.write(scheduleOf(load.plan, durationNs ?? dryRunNs));
    return exitCodes.done;
  }
  const parent = process.ppid;
  if (isOrphan()) {
    terminal.stderr.write('deadheat: the script that started the load has ended, and the load with it\n');
    return exitCodes.done;
  }
  return withInterruption(async (signal) => {
    const running = await startLoad(load);
    terminal.stderr.write(`load: ${describe(load)}, ${running.pids.length} x ${load.work} (${load.language})\n`);
    const over = new Promise<'over' | 'interrupted'>((resolve) => {
      signal.addEventListener('abort', () => resolve('interrupted'));
      if (signal.aborted) resolve('interrupted');
      if (durationNs !== null) wait(running.originNs, { durationNs, onOver: () => resolve('over') });
      setInterval(() => {
        if (process.ppid !== parent) resolve('over');
      }, parentCheckMs).unref();
    });
    try {
      const how = await Promise.race([over, running.ended]);
      // A load without an end of its own is meant to be interrupted.
      return how === 'interrupted' && durationNs !== null ? exitCodes.interrupted : exitCodes.done;
    } finally {
      await running.stop();
    }
  });
}

/**
 * True if the process that started this one has ended before it could be watched: init is the parent, although this is neither the leader
 * of a session, as a service is and what `setsid` started, nor in the session of init, as in a container.
 */
function isOrphan(): boolean {
  if (process.ppid !== 1) return false;
  const own = sessionOf(process.pid);
  return own !== null && own !== process.pid && own !== sessionOf(1);
}

/** The session of a process; `null` where that cannot be read. */
function sessionOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything: state, parent, group, session.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
  } catch {
    return null;
  }
}

function wait(
  originNs: number,
  { durationNs, onOver }: { readonly durationNs: number; readonly onOver: () => void },
): void {
  const leftMs = (originNs + durationNs - Number(process.hrtime.bigint())) / 1e6;
  if (leftMs <= 0) onOver();
  else setTimeout(() => wait(originNs, { durationNs, onOver }), Math.min(leftMs, longestTimerMs)).unref();
}

function describe({ plan, cpus }: LoadOptions): string {
  const where = cpus === 'all' ? 'all CPUs' : `CPU ${cpus.join(', ')}`;
  if (plan.mode === 'waves') return `waves of ${formatStretch(plan.periodNs)} on ${where}`;
  if (plan.mode !== 'bursts') return `${plan.mode} on ${where}`;
  const [busy, idle] = [formatStretch(plan.busyMeanNs), formatStretch(plan.idleMeanNs)];
  return `bursts on ${where}, ${busy} busy and ${idle} idle on average, seed ${plan.seed}`;
}

/** A line a burst that begins before `endNs`: its start and its end, in seconds. */
function scheduleOf(plan: LoadOptions['plan'], endNs: number): string {
  const lines = [plan.mode === 'bursts' ? `# seed ${plan.seed}` : `# ${plan.mode}`, '# busy from s\tto s'];
  for (const phase of burstPhases(plan)) {
    if (phase.startNs >= endNs) break;
    lines.push(`${(phase.startNs / 1e9).toFixed(6)}\t${(Math.min(phase.endNs, endNs) / 1e9).toFixed(6)}`);
  }
  return `${lines.join('\n')}\n`;
}
