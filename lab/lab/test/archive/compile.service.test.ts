import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useScene } from '../../../../core/cli/test/e2e/support.ts';

const scene = useScene();
const programs = ['make', 'pdflatex', 'rsvg-convert'];
const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
const why = missing.length === 0 ? '' : ` (skipped: there is no ${missing.join(', no ')})`;

describe.skipIf(missing.length > 0)(`the tables and figures of a bundle${why}`, () => {
  it('are compiled by make, whatever the names hold', async () => {
    const names = ['-n', String.raw`[a_b] 100 % & #1 $x ~ ^ \y {z}`, '-n', '* “µs” é ð « → 日本'];
    const settings = ['--method', 'sequential', '--runs', '3', '--output', 'rec'];
    const measured = await scene.run([...settings, ...names, 'true', 'sh -c :']);
    expect(measured.status, measured.stderr).toBe(0);
    const made = await scene.run(['lab', 'archive', 'rec', '--title', '[1] * 50 % & more']);
    expect(made.status, made.stderr).toBe(0);
    const bundle = scene.path(made.stdout.split('\n')[0]!);
    const { status, stdout, stderr } = spawnSync('make', { cwd: bundle, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    expect(readFileSync(`${bundle}/tables.pdf`, 'latin1')).toMatch(/^%PDF/);
    const figures = readdirSync(`${bundle}/figures`, { recursive: true, encoding: 'utf8' });
    const [vectors, documents] = ['.svg', '.pdf'].map((ending) => figures.filter((name) => name.endsWith(ending)));
    expect(documents).toHaveLength(vectors!.length);
    expect(documents).not.toHaveLength(0);
    // The bundle can still be measured again.
    const replayed = await scene.run(['lab', 'replay', bundle]);
    expect(replayed.status, replayed.stderr).toBe(0);
    writeFileSync(`${bundle}/recordings/added`, '');
    const changed = await scene.run(['lab', 'replay', bundle]);
    expect([changed.status, changed.stderr]).toEqual([2, expect.stringContaining('recordings/added is not what')]);
  });
});
