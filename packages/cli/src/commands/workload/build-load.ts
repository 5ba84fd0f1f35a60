import { randomBytes } from 'node:crypto';
import { languages, leastMeanNs, type Language, type LoadPlan } from '@deadheat/workloads';
import type { Command } from 'commander';
import { badValue, parseChoice, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { runLoad } from './load.ts';
import type { SubcommandContext } from '../subcommand.ts';

type Mode = LoadPlan['mode'];

interface RawLoadOptions {
  readonly mode?: Mode;
  readonly cores?: 'all' | readonly number[];
  readonly busy?: number;
  readonly idle?: number;
  readonly seed?: string;
  readonly duration?: number;
  readonly language?: Language;
  readonly work?: 'integer' | 'memory';
  readonly priority?: 'normal' | 'realtime';
  readonly dryRun?: true;
}

const defaultMeanNs = 200e6;

/** `deadheat workload load`. */
export function buildLoad({ create, choose }: SubcommandContext): Command {
  return create('load')
    .summary('competes with whatever else runs, on all cores or on some')
    .description(
      'Competes with whatever else runs here, until --duration is over, until it is interrupted, or until the process ' +
        'that started it is gone.',
    )
    .optionsGroup('When and where:')
    .option(
      '--mode <MODE>',
      'idle, busy, or bursts of random length (default: bursts)',
      parseChoice<Mode>('--mode', ['idle', 'busy', 'bursts']),
    )
    .option('--cores <LIST>', 'all, or CPU numbers: 0 or 0,2; all burst together (default: all)', parseCores)
    .option('--busy <TIME>', 'mean length of a burst (default: 200ms)', parseMean('--busy'))
    .option('--idle <TIME>', 'mean length of a pause (default: 200ms)', parseMean('--idle'))
    .option(
      '--seed <TEXT>',
      'the same bursts as any time with this seed',
      parseText('--seed', 'a text that is not empty'),
    )
    .option('--duration <TIME>', 'end after this', parseDuration('--duration'))
    .option('--dry-run', 'only write when it would be busy: 10 s of it, or --duration')
    .optionsGroup('With what:')
    .option(
      '--work <KIND>',
      'integer, which takes cores, or memory, which takes memory bandwidth too (default: integer)',
      parseChoice('--work', ['integer', 'memory']),
    )
    .option(
      '--priority <PRIORITY>',
      'normal, or realtime: before everything else, where the system allows it; needs --language c (default: normal)',
      parseChoice('--priority', ['normal', 'realtime']),
    )
    .option(
      '--language <LANGUAGE>',
      'js or c, which needs a compiler the first time (default: js)',
      parseChoice('--language', languages),
    )
    .action((raw: RawLoadOptions) => {
      const { cores = 'all', language = 'js', work = 'integer', priority = 'normal' } = raw;
      if (priority === 'realtime' && language !== 'c') {
        throw new UsageError('CONFLICT', '--priority realtime is there in C only', { hint: 'Add --language c.' });
      }
      const load = { plan: readPlan(raw), cpus: cores, language, work, priority };
      const { duration: durationNs = null, dryRun = false } = raw;
      choose((terminal) => runLoad({ load, durationNs, dryRun }, terminal));
    });
}

function readPlan({ mode = 'bursts', busy, idle, seed }: RawLoadOptions): LoadPlan {
  if (mode === 'bursts') {
    return {
      mode,
      seed: seed ?? randomBytes(4).toString('hex'),
      busyMeanNs: busy ?? defaultMeanNs,
      idleMeanNs: idle ?? defaultMeanNs,
    };
  }
  const given = Object.entries({ '--busy': busy, '--idle': idle, '--seed': seed });
  const stray = given.find(([, value]) => value !== undefined);
  if (stray !== undefined) {
    throw new UsageError('CONFLICT', `${stray[0]} has no meaning with --mode ${mode}`, {
      hint: 'It belongs to --mode bursts.',
    });
  }
  return { mode };
}

function parseMean(flag: string): (value: string) => number {
  const parse = parseDuration(flag);
  return (value) => {
    const ns = parse(value);
    if (ns < leastMeanNs) throw badValue(flag, value, { allowed: 'at least 1ms' });
    return ns;
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
