import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmarkDefaults, defaultSettings, experimentDefaults, type ExperimentConfig } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/plan/choose-method.ts';
import { comparableConfig, firstDifference } from '../../src/recorded/merge-recordings.ts';
import { hostId } from '../../src/host/read-machine.ts';

function configIn(folder: string, name: string, cpus: [number, number]): ExperimentConfig {
  const command = {
    name: 'x',
    commandLine: `${folder}/bench --data ${folder}/data ${folder}-other/data`,
    argv: [`${folder}/bench`],
    executedBy: 'direct' as const,
  };
  return {
    ...defaultSettings('sync-duet'),
    ...experimentDefaults,
    name,
    benchmarks: [
      {
        ...benchmarkDefaults,
        name: 'x',
        commands: { A: command, B: command },
        workingDirectory: { A: folder, B: null },
      },
    ],
    cpus,
    tandemCpus: [...cpus],
    sequentialCpus: [...cpus],
    lanes: cpus[0] + 1,
    seed: 's',
  };
}

describe('a configuration on two machines', () => {
  it('is the same with other cores, and in clones in other places', () => {
    const one = comparableConfig(configIn('/home/a/clone', 'clone', [0, 1]), '/home/a/clone');
    const other = comparableConfig(configIn('/srv/2', '2', [4, 6]), '/srv/2');
    expect(firstDifference(one, other)).toEqual({
      path: 'benchmarks.0.commands.A.commandLine',
      // What only begins like the folder lies elsewhere.
      left: '"./bench --data ./data /home/a/clone-other/data"',
      right: '"./bench --data ./data /srv/2-other/data"',
    });
    const named = comparableConfig(configIn('/srv/2', 'mine', [4, 6]), '/srv/2');
    expect(firstDifference(other, named)).toEqual({ path: 'name', left: '"."', right: '"mine"' });
  });

  it('is the same whatever method pilot runs chose', () => {
    const config = configIn('/srv/2', '2', [0, 1]);
    const chosen = { method: 'tandem', metric: 'cpu', reason: 'both sides keep one core busy', aloneNs: null } as const;
    const benchmarks = config.benchmarks.map((benchmark) => ({ ...benchmark, chosen }));
    expect(comparableConfig({ ...config, benchmarks }, null)).toEqual(comparableConfig(config, null));
  });

  it('has paths as they are where nothing is known of the folder', () => {
    const config = configIn('/srv/2', '2', [0, 1]);
    const { cpus: _, tandemCpus: _tandem, sequentialCpus: _sequential, lanes: _lanes, ...whole } = config;
    const rest = { ...whole, benchmarks: whole.benchmarks.map(({ chosen: _chosen, ...benchmark }) => benchmark) };
    expect(comparableConfig(config, null)).toEqual(rest);
    expect(comparableConfig(config, '/')).toEqual(rest);
  });
});

describe('the first difference', () => {
  it('is found wherever it is, with what is absent and what is long', () => {
    expect(firstDifference({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBeNull();
    expect(firstDifference({ a: [1, { b: 2 }] }, { a: [1, {}] })).toEqual({
      path: 'a.1.b',
      left: '2',
      right: 'nothing',
    });
    expect(firstDifference({ a: [] }, { a: {} })).toEqual({ path: 'a', left: '[]', right: '{}' });
    expect(firstDifference({ a: 'x'.repeat(200) }, { a: 1 })?.left).toHaveLength(121);
  });
});

describe('JSON that does not depend on the order of keys', () => {
  it('tells the same of the same', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  });
});

describe('the id of a host', () => {
  it('is its name and digits of its boot', () => {
    const root = mkdtempSync(join(tmpdir(), 'host-id-'));
    try {
      expect(hostId('runner', root)).toBe('runner');
      mkdirSync(join(root, 'proc/sys/kernel/random'), { recursive: true });
      const boot = (text: string): string => {
        writeFileSync(join(root, 'proc/sys/kernel/random/boot_id'), text);
        return hostId('runner', root);
      };
      const first = boot('one\n');
      expect(first).toMatch(/^runner-[0-9a-f]{8}$/);
      expect(boot('two\n')).not.toBe(first);
      expect(boot('one\n')).toBe(first);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
