import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeadheatError } from '@deadheat/model';
import { RunCollector } from '../sampled-run.ts';
import { type Sampler, withFirst } from './sampler.ts';

/**
 * Python loads a module of this name at its start. It samples the main thread by a timer of CPU time, keeps the count of each stack of code
 * objects, and then loads the module that it stands in front of.
 */
const customization = `import sys, os
def _start():
    import atexit, json, signal
    folder, interval = os.environ['DEADHEAT_PROFILE_FOLDER'], float(os.environ['DEADHEAT_PROFILE_INTERVAL'])
    counts, pid = {}, os.getpid()
    def sample(number, frame):
        codes = []
        while frame is not None:
            codes.append(frame.f_code)
            frame = frame.f_back
        key = tuple(codes)
        counts[key] = counts.get(key, 0) + 1
    def write():
        signal.setitimer(signal.ITIMER_PROF, 0)
        if os.getpid() != pid:
            return
        numbers, frames = {}, []
        def number(code):
            if code not in numbers:
                numbers[code] = len(frames)
                frames.append([getattr(code, 'co_qualname', code.co_name), code.co_filename, code.co_firstlineno])
            return numbers[code]
        stacks = [[[number(code) for code in reversed(key)], count] for key, count in counts.items()]
        with open(os.path.join(folder, '%d-%d.pysamples' % (pid, id(counts))), 'w') as file:
            json.dump({'frames': frames, 'stacks': stacks}, file)
    signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, interval, interval)
    atexit.register(write)
if os.environ.get('DEADHEAT_PROFILE_FOLDER'):
    _start()
_own = os.path.dirname(os.path.abspath(__file__))
_rest = [path for path in sys.path if os.path.abspath(path or '.') != _own]
import importlib.machinery, importlib.util
_spec = importlib.machinery.PathFinder.find_spec('sitecustomize', _rest)
if _spec is not None and _spec.loader is not None:
    _spec.loader.exec_module(importlib.util.module_from_spec(_spec))
`;

/** The kernel's timers of CPU time tick with its scheduler: 250 times a second where it is built as most distributions do. */
const tickNs = 4_000_000;
/** A timer of one tick passes over every tick that comes a little early, as those of a core that two sides share do: of 78 it met 62, this one 72. */
const everyTickNs = tickNs / 4;

/** A sampler of our own for CPython, started by `sitecustomize`. */
export const pythonSampler: Sampler = {
  runtime: 'python',
  name: "deadheat's sampler of Python",
  leastIntervalNs: tickNs,
  repeats: false,
  check: async () => {},
  launch: ({ argv, environment }, { folder, intervalNs }) => {
    const site = join(dirname(folder), 'python');
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'sitecustomize.py'), customization);
    return {
      argv,
      environment: {
        ...withFirst(environment, { name: 'PYTHONPATH', value: site, separator: ':' }),
        PYTHONDONTWRITEBYTECODE: '1',
        DEADHEAT_PROFILE_FOLDER: folder,
        DEADHEAT_PROFILE_INTERVAL: `${(intervalNs > tickNs ? intervalNs : everyTickNs) / 1e9}`,
      },
    };
  },
  read: async (folder) => {
    const run = new RunCollector();
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.pysamples'))) {
      readPythonSamples(readFileSync(join(folder, name), 'utf8'), { name, run });
    }
    return run.build();
  },
};

/** Adds the samples that the module above writes. @throws DeadheatError `PROFILE_MALFORMED` */
export function readPythonSamples(
  text: string,
  { name, run }: { readonly name: string; readonly run: RunCollector },
): void {
  try {
    const { frames, stacks } = JSON.parse(text) as {
      readonly frames: readonly (readonly [string, string, number])[];
      readonly stacks: readonly (readonly [readonly number[], number])[];
    };
    const numbers = frames.map(([qualified, file, line]) => run.frame({ name: qualified, file, line }));
    for (const [stack, samples] of stacks) {
      run.add(
        stack.map((at) => numbers[at] ?? 0),
        samples,
      );
    }
  } catch (cause) {
    const why = (cause as Error).message;
    throw new DeadheatError('PROFILE_MALFORMED', `${name} holds no samples of Python: ${why}.`, { cause });
  }
}
