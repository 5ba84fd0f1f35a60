import { describe, expect, it } from 'vitest';
import { createStressProbe, readPressure } from '../../src/host/stress-probe.ts';
import { fakeTree, writeFiles, type Files } from './fake-tree.ts';

const cpu = '/sys/devices/system/cpu';
const pressure = (resource: string, totalUs: number): Files => ({
  [`/proc/pressure/${resource}`]: `some avg10=12.50 avg60=3.00 avg300=1.00 total=${totalUs}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n`,
});
const core = (n: number, throttles: number, kHz: number): Files => ({
  [`${cpu}/cpu${n}/thermal_throttle/core_throttle_count`]: `${throttles}\n`,
  [`${cpu}/cpu${n}/cpufreq/scaling_cur_freq`]: `${kHz}\n`,
});

describe('the stress probe', () => {
  it('tells what happened since the last look', () => {
    const root = fakeTree(pressure('cpu', 1000), pressure('memory', 0), core(0, 4, 3_000_000), core(1, 0, 2_000_000));
    let nowNs = 5e9;
    const probe = createStressProbe({ root, cpus: [0, 1], nowNs: () => nowNs });
    nowNs += 1e9;
    // A quarter of the second; microseconds.
    writeFiles(root, { ...pressure('cpu', 251_000), ...core(0, 6, 3_000_000) });
    expect(probe.look()).toEqual({ cpuPressure: 0.25, memoryPressure: 0, heatThrottles: 2, frequencyHz: 2.5e9 });
    nowNs += 1e9;
    expect(probe.look()).toMatchObject({ cpuPressure: 0, heatThrottles: 0 });
  });

  it('says nothing of what the machine does not tell', () => {
    const root = fakeTree({ ...core(0, 1, 1) });
    const probe = createStressProbe({ root, cpus: [0, 1], nowNs: () => 0 });
    expect(probe.look()).toEqual({ cpuPressure: null, memoryPressure: null, heatThrottles: null, frequencyHz: null });
  });

  it('reads how much is waited for now', () => {
    const root = fakeTree(pressure('memory', 3), { '/proc/pressure/io': 'nothing of the kind\n' });
    expect(readPressure('memory', root)).toEqual({ share10: 0.125, totalNs: 3000 });
    expect(readPressure('io', root)).toBeNull();
    expect(readPressure('cpu', root)).toBeNull();
  });
});
