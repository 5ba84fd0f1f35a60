import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { settingFiles } from '@deadheat/engine';
import { type Diagnosis, findDisturbances } from '../../deadheat/src/doctor/diagnosis.ts';
import type { DoctorFacts } from '../../deadheat/src/doctor/facts.ts';
import type { MethodSight } from '../../deadheat/src/doctor/measure.ts';
import { renderDiagnosis } from '../../deadheat/src/doctor/render-diagnosis.ts';
import { UsageError } from 'deadheat/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse as parseWords } from './support-arguments.ts';
import { applySettings, restoreSettings } from '../src/commands/doctor.ts';
import { expectGolden } from './support-golden.ts';
import { machine as anyMachine } from '../../report/test/support-report.ts';

const quiet: DoctorFacts = {
  cpus: [1, 2],
  pressure: { cpu: 0, memory: 0 },
  clock: { readNs: 30, stepNs: 20 },
  obstacle: null,
  machine: {
    ...anyMachine,
    onlineCpus: 4,
    usableCpus: [0, 1, 2, 3],
    smtSiblings: { 1: [1], 2: [2] },
    turbo: false,
    aslr: 0,
    memoryTotalBytes: 100,
    memoryAvailableBytes: 80,
  },
  disturbances: null,
};

const sights: readonly MethodSight[] = [
  { workload: 'integer', method: 'tandem', runs: 10, detectableSlowdown: 0.002, pairingGain: 9, spread: 0.019 },
  { workload: 'integer', method: 'sync-duet', runs: 10, detectableSlowdown: 0.004, pairingGain: 3, spread: 0.02 },
  { workload: 'integer', method: 'sequential', runs: 10, detectableSlowdown: 0.02, pairingGain: null, spread: 0.021 },
  { workload: 'memory', method: 'tandem', runs: 10, detectableSlowdown: 0.008, pairingGain: 4, spread: 0.045 },
  { workload: 'memory', method: 'sync-duet', runs: 10, detectableSlowdown: 0.03, pairingGain: 1.5, spread: 0.05 },
  { workload: 'memory', method: 'sequential', runs: 10, detectableSlowdown: 0.02, pairingGain: null, spread: null },
];

const diagnosis = (of: DoctorFacts, changes: Partial<Diagnosis> = {}): Diagnosis => ({
  schema: 'deadheat.doctor/1',
  tool: { name: 'deadheat', version: '0.1.0' },
  machine: of.machine,
  cpus: of.cpus,
  pressure: of.pressure,
  clock: of.clock,
  counters: { cycles: null, instructions: null, 'cache-misses': 'ENOENT', 'branch-misses': null },
  measured:
    of.disturbances === null
      ? null
      : {
          seed: 's',
          plannedRuns: 10,
          iterations: 10,
          iterationNs: 10e6,
          confidence: 0.95,
          complete: true,
          tookNs: 45e9,
          methods: sights,
          disturbances: of.disturbances,
          recording: null,
        },
  findings: findDisturbances(of),
  tuned: null,
  ...changes,
});

describe('the text of the doctor', () => {
  const style = { color: false, interactive: false, width: null, quiet: false } as const;
  const noisy: DoctorFacts = {
    ...quiet,
    machine: { ...quiet.machine, governor: 'powersave', turbo: true, aslr: 2, load1: 2.5, virtualization: 'kvm' },
    disturbances: {
      spreads: [],
      counts: [],
      waiting: { mean: 0.031, explained: { share: 0.021, correlation: 0.9, p: 0.0001, runs: 40 } },
      speed: { spread: 0.001, runs: 10 },
      sharing: [{ benchmark: 'memory', ratio: 1.42, low: 1.31, high: 1.5 }],
      places: [],
      avoided: null,
    },
  };

  it('is as in the golden file', () => {
    expectGolden('doctor.txt', renderDiagnosis(diagnosis(noisy), style));
  });

  it('stays in 80 columns, and in narrower terminals', () => {
    for (const width of [null, 60]) {
      const lines = renderDiagnosis(diagnosis(noisy), { ...style, width }).split('\n');
      const isProse = (line: string): boolean => !/ (?:tandem|sync-duet|sequential)  /.test(line);
      const long = lines.filter((line) => line.length > (width ?? 80) && (width !== null || isProse(line)));
      expect(long.filter((line) => !line.startsWith('workload'))).toEqual([]);
    }
  });

  const cut = diagnosis(noisy);

  it('says what it could not do', () => {
    const of = (changes: Partial<Diagnosis>): string => renderDiagnosis({ ...cut, ...changes }, style);
    if (cut.measured === null) throw new TypeError('measured');
    expect(of({ measured: { ...cut.measured, complete: false } })).toContain('--max-time');
    expect(of({ measured: null })).toContain('nothing was measured');
    expect(of({ tuned: '/var/lib/deadheat/tuning.json' })).toMatch(/deadheat\s+doctor --restore/);
    expect(renderDiagnosis(diagnosis(quiet), style)).toContain('Nothing that disturbs');
  });

  it('says which methods have no figure', () => {
    if (cut.measured === null) throw new TypeError('measured');
    const without = sights.map((sight) =>
      sight.method === 'sync-duet' ? { ...sight, runs: 0, detectableSlowdown: null } : sight,
    );
    expect(renderDiagnosis({ ...cut, measured: { ...cut.measured, methods: without } }, style)).toContain(
      'no figure: fewer than two runs count',
    );
  });
});

describe('deadheat doctor --apply and --restore', () => {
  const machine = (files: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(join(tmpdir(), 'deadheat-doctor-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
    const tuned = { files: settingFiles(root), directory: join(root, 'var/lib/deadheat') };
    return { root, tuned, terminal: { stdout: stream, stderr: stream }, said: () => written.splice(0).join('') };
  };
  const turbo = '/sys/devices/system/cpu/intel_pstate/no_turbo';

  it('tell what they change and how it is put back', () => {
    const { root, tuned, terminal, said } = machine({ [turbo]: '0\n' });
    expect(applySettings({ ...tuned, names: ['turbo'] }, terminal)).toBe(0);
    expect(said()).toMatch(/no_turbo: 0 -> 1\n.*tuning\.json; put them back with: deadheat doctor --restore\n$/);
    expect(applySettings({ ...tuned, names: ['turbo'] }, terminal)).toBe(0);
    expect(said()).toMatch(/^All of turbo stands as it should; nothing is changed\.\nThe former values/);
    expect(restoreSettings(tuned, terminal)).toBe(0);
    expect(said()).toMatch(/no_turbo: 1 -> 0\nEverything stands as it did before\.\n$/);
    expect(readFileSync(join(root, turbo), 'utf8')).toBe('0');
    expect(restoreSettings(tuned, terminal)).toBe(0);
    expect(said()).toBe('Nothing is changed, so there is nothing to put back.\n');
  });

  it('exit with 5 when something could not be changed', () => {
    const { tuned, terminal, said } = machine({ [turbo]: '0\n' });
    const deaf = { ...tuned, files: { ...tuned.files, write: () => undefined } };
    expect(applySettings({ ...deaf, names: ['turbo'] }, terminal)).toBe(5);
    expect(said()).toContain(
      'deadheat: /sys/devices/system/cpu/intel_pstate/no_turbo: 0 -> 1 failed: the kernel keeps 0',
    );
    applySettings({ ...tuned, names: ['turbo'] }, terminal);
    said();
    expect(restoreSettings(deaf, terminal)).toBe(5);
    expect(said()).toContain('sudo deadheat doctor --restore');
  });
});

describe('the command line of the doctor', () => {
  const parse = (...args: readonly string[]) => parseWords(['doctor', ...args]);

  it('takes every option', () => {
    const accepted = [
      [],
      ['--quick'],
      ['--max-time', '30s', '--workload', 'float,cache', '--cpus', '0,1', '--seed', 'x', '--output', 'there'],
      ['--runs', '2', '--export', 'json:-', '--style', 'basic'],
      ['--no-measure', '--cpus', '1,0'],
      ['--apply'],
      ['--apply', 'governor,smt'],
      ['--restore'],
    ];
    for (const args of accepted) expect(parse(...args).kind).toBe('subcommand');
  });

  it.each([
    [['--quick', '--max-time', '9s'], '--max-time'],
    [['--quick', '--runs', '9'], '--runs'],
    [['--no-measure', '--quick'], '--quick'],
    [['--no-measure', '--output', 'there'], '--output'],
    [['--apply', '--restore'], '--restore'],
    [['--apply', '--runs', '9'], '--runs'],
    [['--restore', '--no-measure'], '--no-measure'],
    [['--apply', 'govenor'], '--apply'],
    [['--runs', '1'], '--runs'],
  ])('refuses %j', (args, named) => {
    try {
      parse(...args);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).message).toContain(named);
      return;
    }
    throw new TypeError(`accepted: ${args.join(' ')}`);
  });
});
