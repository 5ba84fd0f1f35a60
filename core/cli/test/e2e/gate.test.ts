import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noDuets, parseReport, useScene, type Ended, type Scene } from './support.ts';

/** Prints times that its argument, run and side alone decide, so that a busy machine changes no verdict. */
const program = `
factor=$1
if [ "$DEADHEAT_SIDE" = B ] && [ "$2" = restless ]; then factor=$((factor * 2)); fi
for i in 0 1 2 3; do echo "took $((factor * (1000 + (DEADHEAT_RUN * 7 + i * 3) % 11))) us"; done`;
const parser = String.raw`export default (text) => [...text.matchAll(/took (\d+) us/g)].map(([, us], index) => (
  { durationNs: Number(us) * 1e3, line: index + 1 }));`;

interface Case {
  readonly waiver?: string;
  /** Whether A takes twice as long where it is side B. */
  readonly isRestless?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function measure(scene: Scene, { waiver = '', isRestless = false, args = [], env = {} }: Case): Promise<Ended> {
  scene.script('program', program);
  writeFileSync(scene.path('parser.mjs'), parser);
  const mood = isRestless ? ' restless' : '';
  writeFileSync(
    scene.path('deadheat.yaml'),
    `methods: [sequential]
runs: 8
warmup-iterations: 0
seed: gate
benchmarks:
  parse: { A: { command: ./program 10${mood} }, B: { command: ./program 20 }, parser: ./parser.mjs${waiver} }
  print: { command: ./program 10${mood}, parser: ./parser.mjs }
`,
  );
  return scene.run(['run', '--fail-on', 'slower', '--export', 'json:report.json', ...args], { env });
}

const read = (scene: Scene, name: string): string => readFileSync(scene.path(name), 'utf8');
const waivedUntil = (day: string): string => `, waiver: { reason: tables come, expires: ${day} }`;

describe.skipIf(noDuets !== null)('the gate', () => {
  const scene = useScene();

  it('fails for the benchmark that is slower, with a calm control and a summary that tells both', async () => {
    const { status, stdout, stderr } = await measure(scene, {
      args: ['--control', '--export', 'summary:summary.md', '--export', 'junit:junit.xml', '--output', 'rec'],
      env: { GITHUB_STEP_SUMMARY: scene.path('job.md') },
    });
    expect(status, stderr).toBe(1);
    expect(stdout).toContain('1 of 2 slower: parse');
    const { gate } = parseReport(read(scene, 'report.json'));
    expect(gate.control?.fired).toBe(false);
    expect(gate.benchmarks.map(({ benchmark, slower }) => [benchmark, slower])).toEqual([
      ['parse', true],
      ['print', false],
    ]);
    const summary = read(scene, 'summary.md');
    expect(summary).toContain('Gate 🔴 **failed**: 1 of 2 slower: parse');
    expect(summary).toContain('- **control** A does not differ from itself');
    expect(read(scene, 'job.md')).toBe(`${summary}\n`);
    expect(stderr.match(/summary of the job/g)).toHaveLength(1);
    expect(read(scene, 'junit.xml')).toContain('tests="3" failures="1" errors="0" skipped="0"');
  });

  it('passes as long as the benchmark is waived, and fails again afterwards with a warning', async () => {
    // The summary of a job that cannot be written is told and changes nothing.
    const env = { GITHUB_STEP_SUMMARY: scene.path('no/such/folder') };
    const waived = await measure(scene, { waiver: waivedUntil('2999-12-31'), env });
    expect(waived.status, waived.stderr).toBe(0);
    expect(waived.stderr).toContain('the summary of the job cannot be written');
    expect(waived.stdout).toContain('excused until 2999-12-31: tables come');
    const expired = await measure(scene, { waiver: waivedUntil('2001-01-01') });
    expect(expired.status, expired.stderr).toBe(1);
    expect(expired.stdout).toContain('WAIVER_EXPIRED');
  });

  it('abstains where A differs from itself, whatever else was found', async () => {
    const { status, stderr, stdout } = await measure(scene, { isRestless: true, args: ['--control'] });
    expect(status, stderr).toBe(5);
    expect(stdout).toContain('CONTROL_FIRED');
  });

  it('leaves every benchmark its own level with --correction none', async () => {
    const { status, stderr } = await measure(scene, {
      args: ['--correction', 'none', '--no-summary'],
      env: { GITHUB_STEP_SUMMARY: scene.path('job.md') },
    });
    expect(status, stderr).toBe(1);
    expect(stderr).not.toContain('summary of the job');
    expect(existsSync(scene.path('job.md'))).toBe(false);
    const { gate } = parseReport(read(scene, 'report.json'));
    expect(gate.correction).toBe('none');
    expect(gate.benchmarks.map(({ p, adjustedP }) => p === adjustedP)).toEqual([true, true]);
  });
});

// Of twenty benchmarks one is slower: core/engine/test/family.test.ts, where no program has to be executed.
describe.skipIf(noDuets !== null)('the gate over comparisons that end as soon as they are decided', () => {
  const scene = useScene();

  it('fails for both of two programs that sleep three times as long, and names them', async () => {
    writeFileSync(
      scene.path('deadheat.yaml'),
      `until: decided
benchmarks:
  first: { A: { command: sleep 0.04 }, B: { command: sleep 0.12 } }
  second: { A: { command: sleep 0.04 }, B: { command: sleep 0.12 } }
`,
    );
    const { status, stdout, stderr } = await scene.run(['run', '--fail-on', 'slower', '--export', 'json:report.json']);
    expect(status, stderr).toBe(1);
    expect(stdout).toContain('2 of 2 slower: first, second');
    const { gate } = parseReport(read(scene, 'report.json'));
    expect(gate.benchmarks.map(({ verdict, slower }) => [verdict, slower])).toEqual([
      ['slower', true],
      ['slower', true],
    ]);
  });

  it('abstains where A is 10 % off beside itself in one of five controls', async () => {
    // Times that side, argument and run alone decide: as side B the program takes as many percent as its argument says.
    scene.script(
      'program',
      `percent=100
if [ "$DEADHEAT_SIDE" = B ]; then percent=$1; fi
for i in 0 1 2 3; do echo "took $((percent * (1000 + (DEADHEAT_RUN * 7 + i * 3 + percent) % 11))) us"; done`,
    );
    writeFileSync(scene.path('parser.mjs'), parser);
    const benchmarks = [100, 100, 110, 100, 100].map(
      (percent, index) => `  b${index}: { A: { command: ./program ${percent} }, B: { command: ./program 100 new } }`,
    );
    writeFileSync(
      scene.path('deadheat.yaml'),
      `methods: [sequential]
until: decided
confidence: 95%
margin: 2%
warmup-iterations: 0
max-time: none
max-runs: 40
seed: family
control: true
parser: ./parser.mjs
benchmarks:
${benchmarks.join('\n')}
`,
    );
    const { status, stdout, stderr } = await scene.run(['run', '--fail-on', 'slower']);
    expect(status, stderr).toBe(5);
    expect(stdout).toContain('A differs from itself: b2');
  });
});

describe.skipIf(noDuets !== null || process.arch !== 'x64')('a limit of memory', () => {
  const scene = useScene();

  it('fails for a program that needs more memory, and names what both sides use', async () => {
    // `dd` fills a buffer of one block.
    const command = (mebibytes: number): string => `dd if=/dev/zero of=/dev/null bs=${mebibytes}M count=1`;
    const { status, stdout, stderr } = await scene.run([
      '--details',
      '--fail-on',
      'rss>5%',
      '--method',
      'sequential',
      '--runs',
      '4',
      '--export',
      'json:report.json',
      command(20),
      command(24),
    ]);
    expect(status, stderr).toBe(1);
    expect(stdout).toMatch(/peak memory +\+1\d.*B uses more; A 2\d\.\d\s+MiB/s);
    const [comparison] = parseReport(read(scene, 'report.json')).comparisons;
    const memory = comparison?.resources?.find(({ metric }) => metric === 'rss');
    expect((memory!.B - memory!.A) / 2 ** 20).toBeGreaterThan(3);
    expect((memory!.B - memory!.A) / 2 ** 20).toBeLessThan(5);
  });
});
