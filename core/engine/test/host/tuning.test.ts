import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyTuning, pendingRestore, restoreTuning } from '../../src/host/tuning/apply-tuning.ts';
import { settingFiles, type SettingFiles, defaultTuning, tuningNames } from '../../src/host/tuning/find-tuning.ts';
import { DeadheatError } from '@deadheat/model';
import { fakeTree, writeFiles, type Files } from './fake-tree.ts';

const cpu = '/sys/devices/system/cpu';
const boot = { '/proc/sys/kernel/random/boot_id': 'first-boot\n' };
const governor = (n: number, value: string): Files => ({
  [`${cpu}/cpu${n}/cpufreq/scaling_governor`]: `${value}\n`,
  [`${cpu}/cpu${n}/cpufreq/scaling_available_governors`]: 'performance powersave \n',
  [`${cpu}/cpu${n}/cpufreq/energy_performance_preference`]: 'balance_power\n',
});
/** Four CPUs, of which one is set apart already. */
const tunable: Files = {
  ...boot,
  [`${cpu}/online`]: '0-3\n',
  ...governor(0, 'powersave'),
  ...governor(1, 'powersave'),
  ...governor(2, 'performance'),
  ...governor(3, 'powersave'),
  [`${cpu}/intel_pstate/no_turbo`]: '0\n',
  [`${cpu}/smt/control`]: 'on\n',
};

interface Scene {
  readonly root: string;
  readonly files: SettingFiles;
  readonly directory: string;
  /** What every file holds that tuning may touch. */
  readonly settings: () => Readonly<Record<string, string | null>>;
}

const scene = (tree: Files = tunable): Scene => {
  const root = fakeTree(tree);
  const files = settingFiles(root);
  const paths = Object.keys(tree).filter((path) => path.startsWith(cpu));
  return {
    root,
    files,
    directory: join(root, 'var/lib/deadheat'),
    settings: () => Object.fromEntries(paths.map((path) => [path, files.read(path)])),
  };
};

const failureOf = (act: () => unknown): DeadheatError => {
  try {
    act();
  } catch (error) {
    if (error instanceof DeadheatError) return error;
    throw error;
  }
  throw new TypeError('nothing was thrown');
};

describe('tuning', () => {
  it('sets governor and turbo, and restoring gives back exactly what was there', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    const { changes, stateFile } = applyTuning(files, { directory, names: defaultTuning });
    // Three governors that are not performance yet, and turbo; SMT was not asked for.
    expect(changes.map(({ from, to, failure }) => [from, to, failure])).toEqual([
      ['powersave', 'performance', null],
      ['powersave', 'performance', null],
      ['powersave', 'performance', null],
      ['0', '1', null],
    ]);
    expect(settings()).toMatchObject({
      [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'performance',
      [`${cpu}/intel_pstate/no_turbo`]: '1',
      [`${cpu}/smt/control`]: 'on',
    });
    expect(stateFile).toBe(join(directory, 'tuning.json'));
    expect(restoreTuning(files, { directory })).toMatchObject({ kind: 'restored', stateFile: null });
    expect(settings()).toEqual(before);
    expect(existsSync(join(directory, 'tuning.json'))).toBe(false);
    expect(restoreTuning(files, { directory })).toEqual({ kind: 'nothing-kept' });
  });

  it('keeps the first values when it is applied again, also with more settings', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    applyTuning(files, { directory, names: ['governor'] });
    expect(applyTuning(files, { directory, names: ['governor'] }).changes).toEqual([]);
    // A power daemon has its own idea meanwhile.
    files.write(`${cpu}/cpu0/cpufreq/scaling_governor`, 'schedutil');
    expect(applyTuning(files, { directory, names: tuningNames }).changes).toHaveLength(3);
    restoreTuning(files, { directory });
    expect(settings()).toEqual(before);
  });

  it('puts back what the kernel moves along with the governor', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    const preference = `${cpu}/cpu1/cpufreq/energy_performance_preference`;
    applyTuning(files, { directory, names: ['governor'] });
    files.write(preference, 'performance');
    const restored = restoreTuning(files, { directory });
    expect(settings()).toEqual(before);
    if (restored.kind !== 'restored') throw new TypeError(restored.kind);
    // The governor first: under performance the kernel refuses another preference.
    const order = restored.changes.map(({ path }) => path);
    expect(order.indexOf(preference)).toBeGreaterThan(order.indexOf(`${cpu}/cpu1/cpufreq/scaling_governor`));
  });

  it('turns the boost of AMD processors off, by the one switch or by one a CPU', () => {
    const whole = scene({ ...boot, [`${cpu}/online`]: '0-1', [`${cpu}/cpufreq/boost`]: '1' });
    expect(applyTuning(whole.files, { directory: whole.directory, names: ['turbo'] }).changes).toMatchObject([
      { path: `${cpu}/cpufreq/boost`, from: '1', to: '0' },
    ]);
    const each = scene({
      ...boot,
      [`${cpu}/online`]: '0-1',
      [`${cpu}/cpu0/cpufreq/boost`]: '1',
      [`${cpu}/cpu1/cpufreq/boost`]: '0',
    });
    expect(applyTuning(each.files, { directory: each.directory, names: ['turbo'] }).changes).toMatchObject([
      { path: `${cpu}/cpu0/cpufreq/boost`, from: '1', to: '0' },
    ]);
  });

  it('puts SMT back before the files of the CPUs that it took away', () => {
    const { files, directory, root } = scene();
    applyTuning(files, { directory, names: tuningNames });
    expect(files.read(`${cpu}/smt/control`)).toBe('off');
    const gone = `${cpu}/cpu3/cpufreq/scaling_governor`;
    rmSync(join(root, gone));
    const kernel: SettingFiles = {
      ...files,
      write(path, value) {
        if (path.endsWith('smt/control') && value === 'on') writeFiles(root, { [gone]: 'performance' });
        files.write(path, value);
      },
    };
    expect(restoreTuning(kernel, { directory })).toMatchObject({ kind: 'restored', stateFile: null });
    expect(files.read(gone)).toBe('powersave');
  });

  it('gives everything back after kill -9 between any two writes', () => {
    const { files, directory, root, settings } = scene();
    const before = settings();
    const program = fileURLToPath(new URL('fixtures/killed-while-tuning.js', import.meta.url));
    // Three governors and turbo: killed before write 0 (only the state is there) up to before write 3.
    for (let writes = 0; writes < 4; writes++) {
      const { signal, stderr } = spawnSync(process.execPath, [program, root, directory, String(writes)], {
        encoding: 'utf8',
      });
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
      const changed = Object.entries(settings()).filter(([path, value]) => before[path] !== value);
      expect(changed).toHaveLength(writes);
      // Half of it again: what is kept must not become the half-changed state.
      if (writes === 2) applyTuning(files, { directory, names: defaultTuning });
      expect(restoreTuning(files, { directory })).toMatchObject({ kind: 'restored', stateFile: null });
      expect(settings()).toEqual(before);
    }
  });

  it('keeps the former values until all of them are back', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    applyTuning(files, { directory, names: defaultTuning });
    const stuck: SettingFiles = {
      ...files,
      write(path, value) {
        if (path.endsWith('no_turbo')) throw new Error('EIO: i/o error, write');
        files.write(path, value);
      },
    };
    const first = restoreTuning(stuck, { directory });
    expect(first).toMatchObject({ stateFile: join(directory, 'tuning.json') });
    if (first.kind !== 'restored') throw new TypeError(first.kind);
    expect(first.changes.filter(({ failure }) => failure !== null)).toEqual([
      { path: `${cpu}/intel_pstate/no_turbo`, from: '1', to: '0', failure: 'EIO: i/o error, write' },
    ]);
    restoreTuning(files, { directory });
    expect(settings()).toEqual(before);
  });

  it('says when the kernel takes a value and keeps its own', () => {
    const { files, directory } = scene();
    const deaf: SettingFiles = { ...files, write: () => undefined };
    const { changes } = applyTuning(deaf, { directory, names: ['turbo'] });
    expect(changes).toMatchObject([{ from: '0', to: '1', failure: 'the kernel keeps 0 there' }]);
  });

  it('changes what can be written and tells the rest', () => {
    const { files, directory } = scene();
    const partly: SettingFiles = {
      ...files,
      whyNotWritable: (path) => (path.endsWith('no_turbo') ? 'EACCES' : files.whyNotWritable(path)),
    };
    const { changes } = applyTuning(partly, { directory, names: defaultTuning });
    expect(changes.filter(({ failure }) => failure !== null)).toEqual([
      { path: `${cpu}/intel_pstate/no_turbo`, from: '0', to: '1', failure: 'cannot be written (EACCES)' },
    ]);
    expect(readFileSync(join(directory, 'tuning.json'), 'utf8')).not.toContain('no_turbo');
  });

  it('refuses without root, on a read-only /sys and where there is nothing to set, and changes nothing', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    const refusing = (why: string): DeadheatError =>
      failureOf(() => applyTuning({ ...files, whyNotWritable: () => why }, { directory, names: defaultTuning }));
    expect(refusing('EACCES')).toMatchObject({ code: 'TUNING_REFUSED' });
    expect(refusing('EACCES').message).toContain('Run it as root');
    expect(refusing('EROFS').message).toContain('read-only');
    const machine = scene({ ...boot, [`${cpu}/online`]: '0-1' });
    const absent = failureOf(() => applyTuning(machine.files, { directory: machine.directory, names: defaultTuning }));
    expect(absent).toMatchObject({ code: 'TUNING_ABSENT' });
    expect(absent.message).toContain('governor, turbo');
    expect(settings()).toEqual(before);
    for (const one of [directory, machine.directory]) expect(existsSync(one)).toBe(false);
  });

  it('refuses when the former values cannot be kept, and changes nothing', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    mkdirSync(join(directory, '..'), { recursive: true });
    writeFileSync(directory, 'a file in the place of the folder');
    expect(failureOf(() => applyTuning(files, { directory, names: defaultTuning }))).toMatchObject({
      code: 'TUNING_STATE',
    });
    expect(settings()).toEqual(before);
  });

  it('leaves it to another process that began at the same moment', () => {
    const { files, directory, settings } = scene();
    const before = settings();
    let others = 0;
    const racing: SettingFiles = {
      ...files,
      whyNotWritable(path) {
        // Between our look at the settings and our keeping of them.
        if (others++ === 0) applyTuning(files, { directory, names: defaultTuning });
        return files.whyNotWritable(path);
      },
    };
    const refusal = failureOf(() => applyTuning(racing, { directory, names: defaultTuning }));
    expect(refusal.message).toContain('Another process');
    restoreTuning(files, { directory });
    expect(settings()).toEqual(before);
  });

  it('tells whether something is still to be put back', () => {
    const { files, directory, root } = scene();
    expect(pendingRestore(files, { directory })).toBeNull();
    applyTuning(files, { directory, names: defaultTuning });
    expect(pendingRestore(files, { directory })).toBe(join(directory, 'tuning.json'));
    writeFiles(root, { '/proc/sys/kernel/random/boot_id': 'second' });
    expect(pendingRestore(files, { directory })).toBeNull();
    writeFiles(root, { '/var/lib/deadheat/tuning.json': 'torn {' });
    expect(pendingRestore(files, { directory })).toBe(join(directory, 'tuning.json'));
  });

  it('drops what was kept before the machine was restarted', () => {
    const { files, directory, root, settings } = scene();
    const before = settings();
    applyTuning(files, { directory, names: defaultTuning });
    // A start of the machine sets everything anew, this time otherwise.
    writeFiles(root, { ...tunable, '/proc/sys/kernel/random/boot_id': 'second', ...governor(0, 'schedutil') });
    const anew = settings();
    expect(restoreTuning(files, { directory })).toEqual({ kind: 'outdated' });
    expect(settings()).toEqual(anew);
    applyTuning(files, { directory, names: defaultTuning });
    writeFiles(root, { ...tunable, '/proc/sys/kernel/random/boot_id': 'third' });
    applyTuning(files, { directory, names: defaultTuning });
    restoreTuning(files, { directory });
    expect(settings()).toEqual(before);
  });

  it('writes nothing that a file of former values has no business to name', () => {
    const { files, directory, root } = scene();
    const setting = { tuning: 'turbo', path: '/proc/sys/kernel/random/boot_id', before: 'x', wanted: 'y' };
    for (const text of [
      'torn {',
      JSON.stringify({ schema: 'deadheat.tuning/2', bootId: null, settings: [] }),
      JSON.stringify({ schema: 'deadheat.tuning/1', bootId: 'first-boot', settings: [setting] }),
      JSON.stringify({
        schema: 'deadheat.tuning/1',
        bootId: 'first-boot',
        settings: [{ ...setting, path: `${cpu}/smt/control/../../../../etc/passwd` }],
      }),
    ]) {
      writeFiles(root, { '/var/lib/deadheat/tuning.json': text });
      expect(failureOf(() => restoreTuning(files, { directory })).code).toBe('TUNING_STATE');
      expect(failureOf(() => applyTuning(files, { directory, names: defaultTuning })).code).toBe('TUNING_STATE');
    }
    expect(files.read('/proc/sys/kernel/random/boot_id')).toBe('first-boot');
  });
});
