import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeadheatError } from '@deadheat/model';
import { RunCollector } from '../sampled-run.ts';
import { type Sampler, withFirst } from './sampler.ts';

/**
 * Python loads a module of this name at its start. It samples the main thread, and weighs each stack of code objects by the CPU time since
 * the sample before; then it loads the module that it stands in front of. The kernel's timers of CPU time tick with its scheduler, 250
 * times a second where it is built as most distributions do. A timer of the monotonic clock is finer: each sample sets it anew, unless the
 * program waits, which is then woken by no timer but that of CPU time.
 */
const customization = `import sys, os
def _start():
    import atexit, json, signal
    from time import process_time_ns
    folder, interval = os.environ['DEADHEAT_PROFILE_FOLDER'], int(os.environ['DEADHEAT_PROFILE_INTERVAL'])
    weights, pid, samples, idle, ticking = {}, os.getpid(), 0, 0, False
    def tick(on):
        nonlocal ticking
        ticking = on
        signal.setitimer(signal.ITIMER_PROF, on and 0.001, 0.001)
    def clock():
        try:
            import ctypes
            library, timer = ctypes.CDLL(None), ctypes.c_void_p()
            event = (ctypes.c_int * 16)(0, 0, signal.SIGPROF, 0)
            if library.timer_create(1, event, ctypes.byref(timer)) == 0:
                times = (ctypes.c_long * 4)(0, 0, *divmod(interval, 10**9))
                return lambda: library.timer_settime(timer, 0, times, None)
        except (ImportError, OSError, AttributeError):
            pass
    again = clock()
    def sample(number, frame):
        nonlocal samples, last, idle
        now = process_time_ns()
        used = now - last
        if again is not None:
            if ticking:
                tick(False)
                # Until the next tick the kernel gives the CPU time of the last one.
                idle = -10
            else:
                idle = idle + 1 if used * 10 < interval else 0
            if idle < 3:
                again()
            else:
                tick(True)
        if used * 2 < interval:
            return
        last = now
        samples += 1
        codes = []
        while frame is not None:
            codes.append(frame.f_code)
            frame = frame.f_back
        key = tuple(codes)
        weights[key] = weights.get(key, 0) + used
    def write():
        tick(False)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        if os.getpid() != pid:
            return
        numbers, frames, whole = {}, [['(before the sampler)', '', None]], start + sum(weights.values())
        def number(code):
            if code not in numbers:
                numbers[code] = len(frames)
                frames.append([getattr(code, 'co_qualname', code.co_name), code.co_filename, code.co_firstlineno])
            return numbers[code]
        stacks = [[[number(code) for code in reversed(key)], samples * used / whole] for key, used in weights.items()]
        if samples:
            stacks.append([[0], samples * start / whole])
        with open(os.path.join(folder, '%d-%d.pysamples' % (pid, id(weights))), 'w') as file:
            json.dump({'frames': frames, 'stacks': stacks}, file)
    signal.signal(signal.SIGPROF, sample)
    signal.siginterrupt(signal.SIGPROF, False)
    last, times = process_time_ns(), os.times()
    start = last + int(1e9 * (times.children_user + times.children_system))
    tick(True) if again is None else again()
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

/** A sampler of our own for CPython, started by `sitecustomize`. */
export const pythonSampler: Sampler = {
  runtime: 'python',
  name: "deadheat's sampler of Python",
  leastIntervalNs: 1_000_000,
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
        DEADHEAT_PROFILE_INTERVAL: String(intervalNs),
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
      readonly frames: readonly (readonly [string, string, number | null])[];
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
