// A real slowdown of 5 % in a repository: deadheat git on every pair of commits, and bisect: npm run bench -- git [percent]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMachine, printTable, root } from '../lib/tools.js';

const bin = join(root, 'core/cli/bin/deadheat.js');
/** Turns of the loop below; about half a second, so that the start of the program hardly counts. */
const turns = 8e7;

/** @param {string} folder */
function makeRepository(folder, percent) {
  const environment = {
    ...process.env,
    GIT_AUTHOR_NAME: 'bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
  };
  const git = (...args) => execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8' }).trim();
  const commit = (message, files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git('add', '--all');
    git('commit', '--quiet', '-m', message);
  };
  const rounds = (count) => `export const rounds = ${Math.round(count)};\n`;
  git('init', '--quiet', '--initial-branch=main');
  commit('first', {
    'package.json': '{ "name": "small", "version": "1.0.0", "type": "module", "private": true }\n',
    'rounds.js': rounds(turns),
    'bench.js':
      "import { rounds } from './rounds.js';\nlet sum = 0;\nfor (let n = 0; n < rounds; n += 1) sum = (sum * 31 + n) | 0;\nif (sum === 0.5) throw sum;\n",
    '.gitignore': '.deadheat\nnode_modules\npackage-lock.json\n',
  });
  for (const name of ['harmless 1', 'harmless 2', 'harmless 3']) commit(name, { notes: name });
  commit('does not build', { 'package.json': '{ "name": "small", \n' });
  git('revert', '--no-edit', 'HEAD');
  git('commit', '--amend', '--quiet', '-m', 'builds again');
  commit(`${percent} % more work`, { 'rounds.js': rounds(turns * (1 + percent / 100)) });
  for (const name of ['harmless 4', 'harmless 5']) commit(name, { notes: name });
  return git;
}

export async function run([percent = '5']) {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  const repository = join(folder, 'small');
  mkdirSync(repository);
  const rows = [];
  try {
    const git = makeRepository(repository, Number(percent));
    const deadheat = (args) => {
      const began = performance.now();
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [bin, ...args, '--build', 'npm install --no-audit --no-fund', '--', 'node', 'bench.js'],
        { cwd: repository, encoding: 'utf8', env: { ...process.env, DEADHEAT_CACHE: join(folder, 'cache') } },
      );
      const left = git('worktree', 'list').split('\n').length - 1;
      return { status, stdout, stderr, left, seconds: (performance.now() - began) / 1000 };
    };
    const quick = ['--quick'];
    const decided = ['--until', 'decided', '--max-time', '60s'];
    /** @type {[range: string, what: string, options: string[]][]} */
    const cases = [
      ['HEAD~3..HEAD~2', `${percent} % more work`, quick],
      ['HEAD~3..HEAD~2', `${percent} % more work`, decided],
      ['HEAD~1..HEAD', 'harmless', quick],
      ['HEAD~1..HEAD', 'harmless', decided],
      ['HEAD~5..HEAD~4', 'does not build', quick],
    ];
    for (const [range, what, options] of cases) {
      const summary = join(folder, 'summary.md');
      const { status, stdout, stderr, left, seconds } = deadheat([
        'git',
        range,
        ...options,
        '--fail-on',
        'slower',
        '--export',
        `summary:${summary}`,
      ]);
      const line =
        /^B (?:is|vs) .*$/m.exec(stdout)?.[0] ?? stderr.split('\n').find((text) => text.includes('cannot be')) ?? '';
      rows.push([
        `git ${options.slice(0, 2).join(' ')}, ${what}`,
        `${seconds.toFixed(1)} s`,
        status,
        left,
        line.trim(),
      ]);
      if (status !== 4) console.log(`${readFileSync(summary, 'utf8').split('\n').slice(0, 3).join('\n')}\n`);
    }
    const { status, stdout, stderr, left, seconds } = deadheat(['bisect', 'HEAD~8', 'HEAD']);
    const line = stdout.split('\n')[0] || (stderr.trim().split('\n').at(-1) ?? '');
    rows.push(['bisect of 8 commits', `${seconds.toFixed(1)} s`, status, left, line]);
    console.log(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(['what', 'time', 'exit code', 'worktrees left', 'answer'], rows);
}
