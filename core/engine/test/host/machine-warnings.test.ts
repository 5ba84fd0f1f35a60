import type { Machine } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { machineWarnings } from '../../src/host/machine-warnings.ts';

const quiet: Machine = {
  hostname: 'desk',
  platform: 'linux',
  kernel: '6.1.0',
  node: 'v20.20.2',
  cpuModel: null,
  onlineCpus: 8,
  usableCpus: [0, 1, 2, 3, 4, 5, 6, 7],
  smtSiblings: { 0: [0, 4], 1: [1, 5] },
  smtActive: true,
  governor: 'performance',
  turbo: false,
  aslr: 2,
  clockSource: 'tsc',
  virtualization: null,
  memoryTotalBytes: 1,
  memoryAvailableBytes: null,
  cpuQuota: null,
  cgroupVersion: 'v2',
  load1: 1,
};

const codesOf = (facts: Partial<Machine>, cpus: readonly number[] = [0, 1]): readonly string[] =>
  machineWarnings({ ...quiet, ...facts }, { cpus, hasDuet: true }).map((warning) => warning.code);

const messageOf = (facts: Partial<Machine>, cpus: readonly number[] = [0, 1]): string =>
  machineWarnings({ ...quiet, ...facts }, { cpus, hasDuet: true })[0]?.message ?? '';

describe('warnings about the machine', () => {
  it('are absent on a quiet one', () => {
    expect(codesOf({})).toEqual([]);
  });

  it('are absent where nothing is known', () => {
    const unknown = { smtSiblings: {}, smtActive: null, governor: null, clockSource: null, load1: 0 };
    expect(codesOf(unknown)).toEqual([]);
  });

  it('come for two threads of one core, with another core to take', () => {
    expect(codesOf({}, [0, 4])).toEqual(['SMT_SIBLINGS']);
    expect(messageOf({}, [0, 4])).toContain('CPUs 0 and 4 are threads of one core (siblings 0,4)');
    expect(messageOf({}, [0, 4])).toContain('--cpus 0,1');
  });

  it('name the sequential method when no other core is usable', () => {
    expect(messageOf({ usableCpus: [0, 4] }, [0, 4])).toContain('--method sequential');
  });

  it('do not call one CPU a sibling of itself', () => {
    expect(codesOf({}, [0, 0])).toEqual([]);
  });

  it('come for a quota below two CPUs and not at two', () => {
    expect(codesOf({ cpuQuota: 1.5 })).toEqual(['CPU_QUOTA']);
    expect(messageOf({ cpuQuota: 1.5 })).toContain('may use 1.5 CPUs');
    expect(codesOf({ cpuQuota: 2 })).toEqual([]);
  });

  it('leave out what disturbs only a core each where the sides share one, or are executed one after the other', () => {
    const bad = { cpuQuota: 1, load1: 4, governor: 'powersave' };
    const warnings = machineWarnings({ ...quiet, ...bad }, { cpus: [0, 4], hasDuet: false });
    expect(warnings.map(({ code }) => code)).toEqual(['LOAD', 'GOVERNOR']);
  });

  it('say of load and clock what they do to the sides of a duet, and what to those of a tandem', () => {
    const bad = { load1: 4, governor: 'powersave' };
    const told = (hasDuet: boolean): string =>
      machineWarnings({ ...quiet, ...bad }, { cpus: [0, 1], hasDuet })
        .map(({ message }) => message)
        .join('\n');
    expect(told(true)).toMatch(/only when it hits both cores at once.*more runs: --runs[^]*leave --swap at pair/);
    expect(told(false)).toMatch(/from both sides alike, which CPU time leaves out[^]*tandem share one clock/);
    expect(told(false)).not.toMatch(/--swap|--precision/);
  });

  it('advise the sequential method only where the quota suffices for it', () => {
    expect(messageOf({ cpuQuota: 1 })).toContain('--method sequential');
    expect(messageOf({ cpuQuota: 0.5 })).not.toContain('--method sequential');
  });

  it('come for a load above one', () => {
    expect(codesOf({ load1: 1.01 })).toEqual(['LOAD']);
    expect(messageOf({ load1: 3.5 })).toContain('3.5 on 8 CPUs');
  });

  it('come for any governor but performance', () => {
    expect(codesOf({ governor: 'powersave' })).toEqual(['GOVERNOR']);
    expect(codesOf({ governor: 'performance, powersave' })).toEqual(['GOVERNOR']);
    expect(messageOf({ governor: 'powersave' })).toContain('CPUs 0-1 is powersave');
  });

  it.each(['jiffies', 'refined-jiffies', 'acpi_pm', 'hpet'])('come for the slow clock source %s', (clockSource) => {
    expect(codesOf({ clockSource })).toEqual(['CLOCK_RESOLUTION']);
  });

  it.each(['kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'])(
    'are absent for the fast clock source %s',
    (clockSource) => {
      expect(codesOf({ clockSource })).toEqual([]);
    },
  );

  it('say in every message what root can do and what others can', () => {
    const bad = { cpuQuota: 1, load1: 4, governor: 'powersave', clockSource: 'hpet' };
    const warnings = machineWarnings({ ...quiet, ...bad }, { cpus: [0, 4], hasDuet: true });
    expect(warnings.map((warning) => warning.code)).toEqual([
      'SMT_SIBLINGS',
      'CPU_QUOTA',
      'LOAD',
      'GOVERNOR',
      'CLOCK_RESOLUTION',
    ]);
    for (const { message } of warnings) expect(message).toMatch(/[Aa]s root/);
  });
});
