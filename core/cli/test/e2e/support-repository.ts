import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noDuets, type Ended, type Scene } from './support.ts';

const noGit = ((): string | null => {
  try {
    execFileSync('git', ['--version']);
    return null;
  } catch {
    return 'git is not here';
  }
})();
/** Why tests of commits are skipped; `null` = they are not. */
export const skipped: string | null = noDuets ?? noGit;
/** A shell that counts up to `count`. */
export const work = (count: number): string => `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); done\n`;
/** About 2 ms, well above the start of a shell. */
export const usual = 4000;
/** Five times the work, so that no noise hides it. */
export const slow = 5 * usual;
/** Fails where the file `broken` is. */
export const setup = 'echo building; echo bad syntax >&2; test ! -e broken';

/** A repository of the commits of `history`, in the folder `repo` of a scene. */
export class SceneRepository {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get folder(): string {
    return this.#scene.path('repo');
  }

  git(...args: readonly string[]): string {
    const identity = { NAME: 'A', EMAIL: 'a@example.org' };
    const env = Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    );
    return execFileSync('git', args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  write(files: Readonly<Record<string, string | null>>): void {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) rmSync(join(this.folder, name));
      else writeFileSync(join(this.folder, name), text);
    }
  }

  commit(message: string, files: Readonly<Record<string, string | null>>): string {
    if (!existsSync(this.folder)) {
      mkdirSync(this.folder);
      this.git('init', '--quiet', '--initial-branch=main');
    }
    this.write(files);
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A slowdown in the middle, a commit that cannot be built before it, and harmless ones around. */
  history(): void {
    this.commit('first', { 'work.sh': work(usual), '.gitignore': '.deadheat\n' });
    this.commit('harmless 1', { notes: '1' });
    this.commit('does not build', { broken: 'x' });
    this.commit('builds again', { broken: null });
    this.commit('much more work', { 'work.sh': work(slow) });
    this.commit('harmless 2', { notes: '2' });
    this.commit('harmless 3', { notes: '3' });
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.#scene.run(args, { cwd: 'repo', env: { DEADHEAT_CACHE: this.#scene.path('cache') } });
  }
}
