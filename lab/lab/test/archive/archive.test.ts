import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { useScene } from '../../../../core/cli/test/e2e/support.ts';
import { latexTable, latexText } from '../../src/archive/latex-table.ts';

const scene = useScene();

interface Manifest {
  readonly recordings: readonly {
    readonly programs: readonly { readonly path: string; readonly role: string; readonly sha256: string | null }[];
  }[];
}

function writeProgram(name: string, seconds: string): void {
  writeFileSync(scene.path(name), `#!/bin/sh\nexec sleep ${seconds}\n`);
  chmodSync(scene.path(name), 0o755);
}

function runBuilt(args: readonly string[], cwd: string): { readonly status: number | null; readonly stderr: string } {
  const bin = join(import.meta.dirname, '../../../../core/cli/bin/deadheat.js');
  return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8' });
}

async function archived(): Promise<string> {
  writeProgram('old.sh', '0.001');
  writeProgram('new.sh', '0.002');
  const settings = ['--method', 'sequential', '--runs', '3', '--seed', 'archive', '--output', 'rec'];
  const measured = await scene.run([...settings, './old.sh', './new.sh']);
  expect(measured.status, measured.stderr).toBe(0);
  const made = await scene.run(['lab', 'archive', 'rec', '--title', 'Old & new', '--author', 'Doe, Jane']);
  expect(made.status, made.stderr).toBe(0);
  return made.stdout.split('\n')[0]!;
}

describe('deadheat lab archive', () => {
  it('writes a bundle named by its content, which is measured again, and names programs that changed', async () => {
    const bundle = await archived();
    const read = (name: string): string => readFileSync(scene.path(`${bundle}/${name}`), 'utf8');
    expect(bundle).toMatch(/^bundle-[0-9a-f]{16}$/);
    const { recordings } = JSON.parse(read('bundle.json')) as Manifest;
    const programs = recordings[0]!.programs.filter(({ sha256 }) => sha256 !== null);
    const paths = programs.map(({ role, path }) => `${role} ${path}`);
    expect(paths).toContain(`program ${scene.path('old.sh')}`);
    expect(paths).toContain('interpreter /bin/sh');
    expect(paths.some((path) => path.startsWith('library '))).toBe(true);
    expect(read('tables/results.tex')).toContain(String.raw`\caption{Old \& new}`);
    expect(read('tables/results.csv')).toMatch(/^table,recording,benchmark/);
    expect(read('CITATION.cff')).toContain('family-names: "Doe"\n    given-names: "Jane"');
    expect(JSON.parse(read('ro-crate-metadata.json'))).toHaveProperty('@graph');
    const checked = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: scene.path(bundle) });
    expect(checked.status, String(checked.stderr)).toBe(0);
    const twice = await scene.run(['lab', 'archive', 'rec', '--title', 'Old & new', '--author', 'Doe, Jane']);
    expect(twice.stdout.split('\n')[0]).toBe(bundle);

    const same = await scene.run(['lab', 'replay', bundle, '--output', 'here']);
    expect(same.status, same.stderr).toBe(0);
    expect(same.stdout).toContain('the bundle beside this machine');
    expect(same.stderr).not.toContain('another file');

    const more = await scene.run(['lab', 'replay', bundle, '--output', 'there', '--beside', 'here']);
    expect(more.status, more.stderr).toBe(0);
    expect(more.stdout).toContain('the mean over machines');
    expect(more.stdout).toContain('3 recordings come from 1 host names');
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'deadheat-elsewhere-')));
    // Another machine, where the folder of the recording is not there, nor the programs in it until they are laid beside the bundle.
    renameSync(scene.path(bundle), join(elsewhere, bundle));
    const home = scene.directory;
    renameSync(home, `${home}-away`);
    try {
      const replay = ['lab', 'replay', bundle, '--output', 'here'];
      const missing = runBuilt(replay, elsewhere);
      expect(missing.status).not.toBe(0);
      expect(missing.stderr).toContain(join(elsewhere, 'old.sh'));
      for (const name of ['old.sh', 'new.sh']) copyFileSync(join(`${home}-away`, name), join(elsewhere, name));
      const moved = runBuilt(replay, elsewhere);
      expect(moved.status, moved.stderr).toBe(0);
      expect(moved.stderr).toContain(`the folder ${home} is not here: its programs are executed in ${elsewhere}`);
      expect(moved.stderr).not.toContain('is not here; the bundle');
    } finally {
      renameSync(`${home}-away`, home);
      renameSync(join(elsewhere, bundle), scene.path(bundle));
      rmSync(elsewhere, { recursive: true });
    }

    const lacking = await scene.run(['lab', 'replay', bundle, '--output', 'none', '--beside', bundle]);
    expect(lacking.stderr).toContain('holds no recording of this bundle');

    writeProgram('new.sh', '0.003');
    const changed = await scene.run(['lab', 'replay', bundle, '--output', 'changed']);
    expect(changed.status, changed.stderr).toBe(0);
    expect(changed.stderr).toMatch(/program \S*new\.sh is another file here \(SHA-256 [0-9a-f]{16}\)/);

    writeFileSync(scene.path(`${bundle}/tables/results.csv`), 'other');
    const damaged = await scene.run(['lab', 'replay', bundle, '--output', 'none']);
    expect(damaged.status).not.toBe(0);
    expect(damaged.stderr).toContain('tables/results.csv is not what the bundle was made with');
    expect(existsSync(scene.path('none'))).toBe(false);
    expect(damaged.stderr).not.toContain('--repair');
    const within = await scene.run(['lab', 'archive', 'rec', '--output', 'rec']);
    expect(within).toMatchObject({ status: 2 });
    expect(within.stderr).toContain('--output');
    const none = await scene.run(['lab', 'replay', 'rec']);
    expect(none.stderr).toContain('rec is no bundle');
  });
});

describe('a table of LaTeX', () => {
  it('has the rules of booktabs, and no character that LaTeX reads as a command', () => {
    expect(latexText(String.raw`a_b & 5 % of {x} \y ~ ^ $#`)).toBe(
      String.raw`a\_b \& 5 \% of \{x\} \textbackslash{}y \textasciitilde{} \textasciicircum{} \$\#`,
    );
    expect(latexText('[1] * µs … 日本 → \u{1f600}')).toBe('{[}1] {*} µs … U+65E5U+672C U+2192 U+1F600');
    const columns = [
      { name: 'name', unit: 'text' as const },
      { name: 'saved', unit: 'share' as const },
    ];
    const table = latexTable({ title: 'T', source: '', columns, rows: [['a', 0.25]], notes: ['n'] });
    expect(table).toContain('{lr}\n\\toprule\nname & saved \\\\\n\\midrule\na & 25.0 \\% \\\\\n\\bottomrule');
    expect(table.startsWith('% n\n')).toBe(true);
  });
});
