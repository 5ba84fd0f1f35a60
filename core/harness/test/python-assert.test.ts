import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const clients = fileURLToPath(new URL('../../../clients/python', import.meta.url));
const python = spawnSync('python3', ['--version']).status === 0;

/** Functions advance a clock of their own, so that nothing depends on this machine. */
const preamble = `
import random, sys
sys.path.insert(0, ${JSON.stringify(clients)})
import deadheat_assert as module
from deadheat_assert import assert_not_slower
random.seed(7)
noise = random.Random(11)

class Clock:
    wall = cpu = calls = 0
    def perf_counter_ns(self): return int(self.wall)
    def process_time_ns(self):
        # What a slot costs beside its calls.
        self.cpu += 20_000
        self.wall += 20_000
        return int(self.cpu)

clock = module.time = Clock()

def costs(ns, cpu=1.0):
    def function():
        took = ns * noise.lognormvariate(0, 0.02)
        clock.wall += took + (4e6 if noise.random() < 0.02 else 0)
        clock.cpu += took * cpu
        clock.calls += 1
    return function

def outcome(*given, **options):
    try:
        return 'passed: ' + assert_not_slower(*given, **options)
    except AssertionError as error:
        return str(error)
`;

function ask(expression: string): string {
  const { stdout, stderr } = spawnSync('python3', ['-c', `${preamble}\nprint(${expression})`], { encoding: 'utf8' });
  return stdout.trim() || stderr;
}

describe.skipIf(!python)(`the assertion for Python${python ? '' : ' (skipped: there is no python3)'}`, () => {
  it('passes where a slowdown by more than the share is excluded', () => {
    expect(ask('outcome(costs(50_000), costs(50_000))')).toMatch(
      /^passed: [+-]\d\.\d % \[-\d\.\d %, \+\d\.\d %\] \(95 % interval, CPU time, \d+ blocks in one process\)$/,
    );
    expect(ask('outcome(costs(58_000), costs(50_000), by="20%")')).toMatch(/^passed: \+1[56]/);
  });

  it('fails where it is certain, and where the budget leaves it undecided', () => {
    expect(ask('outcome(costs(58_000), costs(50_000))')).toMatch(
      /^Expected not to be slower by more than 5 %, but was: \+1[56]\.\d % \[/,
    );
    expect(ask('outcome(costs(52_500), costs(50_000), budget=0.3)')).toMatch(
      /which is not certain: .*, after 0\.3 s; give it more time with budget=$/,
    );
  });

  it('compares wall time of functions that wait, and keeps its budget', () => {
    expect(ask('outcome(costs(2_000_000, 0.1), costs(2_000_000, 0.1), by=0.2)')).toContain('wall time');
    expect(Number(ask('outcome(costs(1e6), costs(1e6), by=0.0) and clock.wall / 1e9'))).toBeLessThan(2.1);
  });

  it('gives too few blocks no limit, and names a share that is none', () => {
    expect(ask('[module._rank_quantile(count) for count in (0, 7, 8, 9, 20, 50)]')).toBe('[0, 0, 1, 3, 40, 381]');
    expect(ask('module._signed_rank_interval([1.0, 2.0, 6.0])')).toBe('(-inf, 2.75, inf)');
    expect(ask('outcome(print, print, by="5")')).toContain(
      "by must be a share in [0, 1) or a text such as '5%', got '5'",
    );
  });
});
