import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** Why repositories cannot be made here; `null` when they can. */
export const noGit: string | null = ((): string | null => {
  try {
    execFileSync('git', ['--version']);
    return null;
  } catch {
    return 'git is not here';
  }
})();

/** A repository in a folder of its own. */
export class TestRepository {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'deadheat-repository-'));

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, ...person },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Commits these files, and returns the hash. */
  commit(message: string, files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  worktrees(): number {
    return this.git('worktree', 'list').split('\n').length;
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
