import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { noDuets, parseReport, useScene, type Ended, type Scene } from './support.ts';

const root = resolve(import.meta.dirname, '../../../..');
const script = (name: string): string => join(root, 'ci', name);

const absent = ['bash', 'git', 'curl', 'xargs'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
if (absent.length > 0) console.warn(`the scripts for pipelines are not tested: ${absent.join(', ')} not here`);

/** Nothing of the pipeline or person that runs these tests. */
const clean = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GITHUB_|INPUT_|CI_|CI$|GIT_|PUSHED_OVER)/.test(name)),
  ),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
};

type Environment = Readonly<Record<string, string>>;

async function bash(
  words: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Environment },
): Promise<Ended> {
  const child = spawn('bash', words, { cwd, env: { ...clean, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  const status = await new Promise<number | null>((done) => child.once('close', done));
  return { status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

function git(cwd: string, ...args: readonly string[]): string {
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const env = { ...clean, ...identity, ...committer };
  return execFileSync('git', args, { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A bare repository whose branch `topic` leaves `main` before its last commit, and a clone of one commit of `topic`. */
function makeOrigin(scene: Scene, files: Readonly<Record<string, readonly [string, string]>> = {}): string {
  const [work, bare, clone] = [scene.path('work'), scene.path('origin.git'), scene.path('clone')];
  mkdirSync(work);
  git(work, 'init', '--quiet', '--initial-branch=main');
  const commit = (message: string, side: 0 | 1): void => {
    for (const [name, texts] of Object.entries(files)) writeFileSync(join(work, name), texts[side], { mode: 0o755 });
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '--allow-empty', '-m', message);
  };
  commit('first', 0);
  commit('second', 0);
  git(work, 'tag', 'v1');
  git(work, 'switch', '--quiet', '--create', 'topic');
  for (const number of [1, 2, 3]) commit(`topic ${number}`, 1);
  git(work, 'switch', '--quiet', 'main');
  commit('third', 0);
  git(work, 'switch', '--quiet', '--orphan', 'apart');
  commit('apart', 0);
  git(scene.directory, 'clone', '--quiet', '--bare', work, bare);
  git(scene.directory, 'clone', '--quiet', '--depth=1', '--branch=topic', `file://${bare}`, clone);
  return clone;
}

describe.skipIf(absent.length > 0)('ci/fetch-base.sh', () => {
  const scene = useScene();

  it('fetches what a clone of one commit lacks, and nothing again where it is there', async () => {
    const clone = makeOrigin(scene);
    expect(spawnSync('git', ['merge-base', 'origin/main', 'HEAD'], { cwd: clone }).status).not.toBe(0);
    const first = await bash([script('fetch-base.sh'), 'origin/main'], { cwd: clone });
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    expect(git(clone, 'log', '-1', '--format=%s', git(clone, 'merge-base', 'origin/main', 'HEAD'))).toBe('second');
    git(clone, 'remote', 'set-url', 'origin', '/nowhere');
    expect((await bash([script('fetch-base.sh'), 'origin/main'], { cwd: clone })).status).toBe(0);
  });

  it.each([
    ['v1', 'v1'],
    ['HEAD^', 'HEAD^'],
    ['HEAD~2', 'HEAD~2'],
    ['main', 'origin/main'],
  ])('takes %s for a base', async (base, called) => {
    const clone = makeOrigin(scene);
    const { status, stdout, stderr } = await bash([script('fetch-base.sh'), base], { cwd: clone });
    expect([status, stdout, stderr]).toEqual([0, `${called}\n`, '']);
  });

  it('takes the name of a commit, as a push has it', async () => {
    const clone = makeOrigin(scene);
    const { status } = await bash([script('fetch-base.sh'), git(scene.path('work'), 'rev-parse', 'main')], {
      cwd: clone,
    });
    expect(status).toBe(0);
  });

  it('says what is missing', async () => {
    const clone = makeOrigin(scene);
    for (const [words, why] of [
      [['nothing'], /no revision 'nothing' here, and origin has neither/],
      [['--upload-pack=touch x'], /is no revision/],
      [['main', 'nothing'], /no revision 'nothing' here/],
      [['apart'], /have no common ancestor/],
    ] as const) {
      const { status, stderr } = await bash([script('fetch-base.sh'), ...words], { cwd: clone });
      expect([words, status]).toEqual([words, 2]);
      expect(stderr).toMatch(why);
    }
    expect(existsSync(join(clone, 'x'))).toBe(false);
  });
});

describe.skipIf(absent.length > 0)('ci/install.sh', () => {
  const scene = useScene();

  /** A checkout that is not built, and an npm that prints its arguments. */
  function install(env: Environment = {}): Promise<Ended> {
    mkdirSync(scene.path('ci'));
    copyFileSync(script('install.sh'), scene.path('ci/install.sh'));
    mkdirSync(scene.path('core/deadheat'), { recursive: true });
    writeFileSync(scene.path('core/deadheat/package.json'), '{ "version": "1.2.3" }');
    scene.script('npm', 'printf "%s\\n" "$@"');
    const path = `${scene.directory}:${process.env['PATH'] ?? ''}`;
    return bash([scene.path('ci/install.sh')], { cwd: scene.directory, env: { PATH: path, ...env } });
  }

  it('installs the package of its own version, and builds nothing', async () => {
    const { status, stdout } = await install();
    expect(status).toBe(0);
    const [command, ...words] = stdout.trimEnd().split('\n');
    expect(command).toBe('install');
    expect(words).toEqual(expect.arrayContaining([scene.path('.installed'), '--ignore-scripts']));
    expect(words.at(-1)).toBe('deadheat@1.2.3');
  });

  it('installs what it is told', async () => {
    expect((await install({ DEADHEAT_PACKAGE: 'a.tgz b.tgz' })).stdout).toMatch(/\na\.tgz\nb\.tgz\n$/);
  });

  it('builds its checkout where it is told to', async () => {
    expect((await install({ DEADHEAT_PACKAGE: 'source' })).stdout).toMatch(/^ci\n/);
  });
});

/** Stands in for deadheat: tells how it was called, says something, and ends as the environment asks. */
const standIn = `
import { writeFileSync } from 'node:fs';
writeFileSync(process.env.CALLED, JSON.stringify(process.argv.slice(2)));
console.log('a verdict');
console.error('a progress \\u0007\\n\`\`\`\\n@someone');
const summary = process.argv.find((word) => word.startsWith('summary:'));
if (process.env.SUMMARY) writeFileSync(summary.slice('summary:'.length), process.env.SUMMARY);
process.exitCode = Number(process.env.CODE ?? 0);
`;

describe.skipIf(absent.length > 0)('ci/compare.sh', () => {
  const scene = useScene();

  async function compare(env: Environment): Promise<Ended & { readonly words: readonly string[] }> {
    const clone = existsSync(scene.path('clone')) ? scene.path('clone') : makeOrigin(scene);
    writeFileSync(scene.path('deadheat.mjs'), standIn);
    const called = scene.path('called.json');
    const own = { DEADHEAT_PROGRAM: scene.path('deadheat.mjs'), CALLED: called, INPUT_OUTPUT: scene.path('out') };
    const ended = await bash([script('compare.sh')], { cwd: clone, env: { ...own, ...env } });
    const words = existsSync(called) ? (JSON.parse(readFileSync(called, 'utf8')) as readonly string[]) : [];
    return { ...ended, words };
  }

  it('turns its settings into words, and leaves none of them to a shell', async () => {
    const out = scene.path('out');
    const { status, stdout, stderr, words } = await compare({
      GITHUB_BASE_REF: 'main',
      INPUT_COMMAND: 'node "my bench.js" $(touch x) | cat',
      INPUT_SETUP: 'npm ci; touch y',
      INPUT_MARGIN: '1%',
      INPUT_CONTROL: 'true',
      INPUT_BENCHMARKS: 'parse *\n\nlex',
      INPUT_OPTIONS: '--quick\n--prepare \'make "$HOME" *\' --strict',
    });
    expect([status, stdout]).toEqual([0, 'a verdict\n']);
    expect(stderr).toContain('a progress');
    expect(words).toEqual([
      'git',
      '--build',
      'npm ci; touch y',
      '--margin',
      '1%',
      '--control',
      '--fail-on',
      'slower',
      '--filter',
      'parse *',
      '--filter',
      'lex',
      '--quick',
      '--prepare',
      'make "$HOME" *',
      '--strict',
      '--output',
      `${out}/recording`,
      '--export',
      `summary:${out}/summary.md`,
      '--export',
      `json:${out}/report.json`,
      '--export',
      `junit:${out}/junit.xml`,
      'origin/main..HEAD',
      '--',
      'node "my bench.js" $(touch x) | cat',
    ]);
    expect(['x', 'y'].some((name) => existsSync(join(scene.path('clone'), name)))).toBe(false);
  });

  it('finds the base by itself: the target of a request, what a push replaced, the commit before', async () => {
    const clone = makeOrigin(scene);
    const second = git(scene.path('work'), 'rev-parse', 'v1');
    const range = async (env: Environment): Promise<string | undefined> =>
      (await compare({ ...env, INPUT_FAIL_ON: 'never' })).words.at(-1);
    expect(await range({ INPUT_BASE: 'v1', GITHUB_BASE_REF: 'main' })).toBe('v1..HEAD');
    expect(await range({ CI_MERGE_REQUEST_DIFF_BASE_SHA: second })).toBe(`${second}..HEAD`);
    expect(await range({ PUSHED_OVER: second })).toBe(`${second}..HEAD`);
    expect(await range({ PUSHED_OVER: '0'.repeat(40) })).toBe('HEAD^..HEAD');
    expect(git(clone, 'status', '--porcelain')).toBe('');
  });

  it('ends as deadheat does, and tells in a summary why there is no result', async () => {
    const job = scene.path('job.md');
    const env = { INPUT_BASE: 'v1', GITHUB_STEP_SUMMARY: job };
    const slower = await compare({ ...env, CODE: '1', SUMMARY: '## all of it\n' });
    expect(slower.status).toBe(1);
    expect(existsSync(job)).toBe(false);
    const failed = await compare({ ...env, CODE: '4' });
    expect(failed.status).toBe(4);
    const summary = readFileSync(scene.path('out/summary.md'), 'utf8');
    expect(summary).toContain('exit code 4');
    // Indented, so that it is code whatever it holds, and without what steers a terminal.
    expect(summary).toContain('\n    a progress \n    ```\n    @someone\n');
    expect(readFileSync(job, 'utf8')).toBe(summary);
    const unknown = await compare({ ...env, INPUT_BASE: 'nothing' });
    expect(unknown.status).toBe(2);
    expect(readFileSync(scene.path('out/summary.md'), 'utf8')).toContain("    there is no revision 'nothing' here");
  });

  it('refuses what it cannot read', async () => {
    const quote = await compare({ INPUT_BASE: 'v1', INPUT_OPTIONS: "--prepare 'make" });
    expect([quote.status, quote.words]).toEqual([2, []]);
    expect(quote.stderr).toContain('a quote is not closed');
  });

  it('asks for the gate that its settings name, and for none with never', async () => {
    const gate = async (env: Environment): Promise<readonly string[]> => {
      const { words } = await compare({ INPUT_BASE: 'v1', ...env });
      return words.slice(1, words.indexOf('--output'));
    };
    expect(await gate({})).toEqual(['--fail-on', 'slower']);
    const named = { INPUT_FAIL_ON: 'changed,rss>5%', INPUT_UNDECIDED: '5%' };
    expect(await gate(named)).toEqual(['--fail-on', 'changed,rss>5%', '--undecided', '5%']);
    expect(await gate({ ...named, INPUT_FAIL_ON: 'never' })).toEqual([]);
  });
});

describe.skipIf(absent.length > 0 || noDuets !== null)('ci/compare.sh with deadheat', () => {
  const scene = useScene();

  it('answers for a pull request in a clone of one commit', async () => {
    const parser = String.raw`export default (text) => [...text.matchAll(/took (\d+) us/g)].map(([, us], index) => (
  { durationNs: Number(us) * 1e3, line: index + 1 }));`;
    const config =
      'methods: [sequential]\nruns: 6\nwarmup: 0\nbenchmarks:\n  parse: { command: ./program, parser: ./parser.mjs }\n';
    const program = (us: number): string =>
      `#!/bin/sh\nfor i in 0 1 2; do echo "took $((${us} + (DEADHEAT_RUN * 7 + i) % 11)) us"; done\n`;
    const clone = makeOrigin(scene, {
      'deadheat.yaml': [config, config],
      'parser.mjs': [parser, parser],
      program: [program(1000), program(2000)],
    });
    const { status, stderr } = await bash([script('compare.sh')], {
      cwd: clone,
      env: {
        GITHUB_BASE_REF: 'main',
        GITHUB_STEP_SUMMARY: scene.path('job.md'),
        DEADHEAT_CACHE: scene.path('cache'),
      },
    });
    expect(status, stderr).toBe(1);
    const out = join(clone, 'deadheat-result');
    const summary = readFileSync(join(out, 'summary.md'), 'utf8');
    expect(summary).toContain('Gate 🔴 **failed**: parse (sequential) is slower');
    expect(readFileSync(scene.path('job.md'), 'utf8')).toBe(`${summary}\n`);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="1"');
    expect(existsSync(join(out, 'recording/report.html'))).toBe(true);
    expect(git(clone, 'worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe.skipIf(absent.length > 0)('ci/parts.sh with deadheat', () => {
  const scene = useScene();

  const parser = String.raw`export default (text) => [...text.matchAll(/took (\d+) us/g)].map(([, us], index) => (
  { durationNs: Number(us) * 1e3, line: index + 1 }));`;
  const config = `methods: [sequential]
runs: 13
warmup-iterations: 0
benchmarks:
  parse:
    parser: ./parser.mjs
    A: { command: ./program 1000 }
    B: { command: ./program 1100 }
`;
  const program = '#!/bin/sh\nfor i in 0 1 2; do echo "took $(($1 + (DEADHEAT_RUN * 7 + i) % 11)) us"; done\n';

  it('brings three clones together to what one of them alone says', async () => {
    makeOrigin(scene, {
      'deadheat.yaml': [config, config],
      'parser.mjs': [parser, parser],
      program: [program, program],
    });
    const divided = await bash([script('parts.sh'), 'matrix', '3'], { cwd: scene.path('work') });
    expect(divided.status, divided.stderr).toBe(0);
    const { include } = JSON.parse(divided.stdout) as {
      readonly include: readonly { readonly part: string; readonly number: number; readonly experiment: string }[];
    };
    expect(include.map(({ part }) => part)).toEqual(['1/3', '2/3', '3/3']);
    const experiment = include[0]?.experiment ?? '';
    for (const { part, number } of include) {
      git(scene.directory, 'clone', '--quiet', `file://${scene.path('origin.git')}`, scene.path(`clone-${number}`));
      const made = await bash([script('parts.sh'), 'part'], {
        cwd: scene.path(`clone-${number}`),
        env: {
          INPUT_PART: part,
          INPUT_EXPERIMENT: experiment,
          INPUT_HOST: `machine ${number}`,
          INPUT_OUTPUT: scene.path(`parts/${number}`),
        },
      });
      expect(made.status, made.stderr).toBe(0);
    }
    const merged = await bash([script('parts.sh'), 'merge', scene.path('parts')], { cwd: scene.directory });
    expect(merged.status, merged.stderr).toBe(1);
    const whole = await scene.run(['run', '--seed', experiment, '--export', 'json:-'], { cwd: 'work' });
    expect(whole.status, whole.stderr).toBe(0);
    const report = parseReport(readFileSync(scene.path('deadheat-result/report.json'), 'utf8'));
    const [found] = report.comparisons;
    const [expected] = parseReport(whole.stdout).comparisons;
    expect(found?.interval).toEqual(expected?.interval);
    expect(found?.sides.A.times).toEqual(expected?.sides.A.times);
    expect(found?.hosts?.each.map(({ id, runs }) => [id, runs])).toEqual([
      ['machine 1', 4],
      ['machine 2', 4],
      ['machine 3', 5],
    ]);
    expect(report.experiment).toMatchObject({ id: experiment, complete: true });
    expect(readFileSync(scene.path('deadheat-result/summary.md'), 'utf8')).toContain('FEW_HOSTS');
    expect(existsSync(scene.path('deadheat-result/recording/report.html'))).toBe(true);

    const partly = await scene.run(['ci', 'merge', 'parts/1', 'parts/3', '--output', 'partly', '--export', 'json:-']);
    expect(partly.status).toBe(0);
    expect(parseReport(partly.stdout).experiment).toMatchObject({ complete: false, parts: { taken: [1, 3] } });
    const resumed = await scene.run(['run', '--resume', 'partly']);
    expect([resumed.status, resumed.stderr]).toEqual([2, expect.stringContaining('deadheat ci merge')]);
    const pushed = await scene.run(['history', 'push', 'partly', '--to', 'history']);
    expect([pushed.status, pushed.stderr]).toEqual([2, expect.stringContaining('2 of 3 parts')]);
    const other = await scene.run(['ci', 'merge', 'parts/1', scene.recording('work/.deadheat'), '--output', 'mixed']);
    expect(other.status).toBe(2);
  });

  it('says what cannot be divided, and how', async () => {
    makeOrigin(scene, {
      'deadheat.yaml': [config, config],
      'open.yaml': [config.replace('runs: 13\n', ''), config.replace('runs: 13\n', '')],
      'parser.mjs': [parser, parser],
      program: [program, program],
    });
    for (const [args, why] of [
      [['ci', 'matrix', '--jobs', '8'], /13 runs in 7 blocks of two that trade cores, too few for 8 parts/],
      [['ci', 'matrix', '--jobs', '2', 'open.yaml'], /cannot be divided into parts[^]*runs: 40/],
      [['run', '--part', '1/8', '--experiment-id', 'x'], /too few for 8 parts/],
      [['run', '--part', '1/2'], /--experiment-id/],
    ] as const) {
      const { status, stderr } = await scene.run([...args], { cwd: 'work' });
      expect([args, status]).toEqual([args, 2]);
      expect(stderr).toMatch(why);
    }
    const { stdout } = await scene.run(['ci', 'matrix', '--jobs', '2', '--format', 'gitlab', '--experiment-id', 'x'], {
      cwd: 'work',
    });
    expect(JSON.parse(stdout)).toEqual({
      parallel: { matrix: [{ DEADHEAT_PART: ['1/2', '2/2'], DEADHEAT_EXPERIMENT: ['x'] }] },
    });
  });
});

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** Plays the part of GitHub that comments need. */
class FakeGitHub {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  readonly tokens = new Set<string | undefined>();
  /** Open pull requests. */
  readonly pulls: readonly { readonly number: number; readonly head: { readonly sha: string } }[] = [
    { number: 6, head: { sha: 'old' } },
    { number: 7, head: { sha: 'abc' } },
  ];
  mayWrite = true;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    this.requests.push(`${request.method} ${pathname}`);
    this.tokens.add(request.headers.authorization);
    const say = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (request.method === 'GET' && pathname === '/repos/o/r/pulls') {
      return say(200, searchParams.get('head') === 'forker:topic branch' ? this.pulls : []);
    }
    const comment = /^\/repos\/o\/r\/issues\/comments\/(\d+)$/.exec(pathname);
    if (request.method === 'GET' && pathname === '/repos/o/r/issues/7/comments') {
      const page = Number(searchParams.get('page'));
      const size = Number(searchParams.get('per_page'));
      return say(200, this.comments.slice((page - 1) * size, page * size));
    }
    if (!this.mayWrite) return say(403, { message: 'Resource not accessible by integration' });
    const body = pieces.length === 0 ? '' : (JSON.parse(Buffer.concat(pieces).toString()) as { body: string }).body;
    if (body.length > 65_536) return say(422, { message: 'body is too long' });
    if (request.method === 'POST' && pathname === '/repos/o/r/issues/7/comments') {
      this.comments.push({ id: 1000 + this.comments.length, user: { login: 'github-actions[bot]' }, body });
      return say(201, {});
    }
    const known = this.comments.find(({ id }) => String(id) === comment?.[1]);
    if (request.method !== 'PATCH' || known === undefined) return say(404, {});
    known.body = body;
    return say(200, {});
  }
}

describe.skipIf(absent.length > 0)('ci/comment.sh', () => {
  const scene = useScene();
  let github: FakeGitHub;
  let url: string;
  beforeEach(async () => {
    github = new FakeGitHub();
    url = await github.start();
  });
  afterEach(async () => github.stop());

  async function comment(
    summary: string,
    env: Environment = { PULL_REQUEST: '7' },
  ): Promise<Ended & { posted: string }> {
    writeFileSync(scene.path('summary.md'), summary);
    writeFileSync(scene.path('output'), '');
    const own = {
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_TOKEN: 'secret',
      GITHUB_OUTPUT: scene.path('output'),
    };
    const ended = await bash([script('comment.sh'), scene.path('summary.md')], {
      cwd: scene.directory,
      env: { ...own, ...env },
    });
    return { ...ended, posted: readFileSync(scene.path('output'), 'utf8') };
  }

  const someone = (count: number, body = 'hello'): void => {
    for (let i = 0; i < count; i++) github.comments.push({ id: i + 1, user: { login: 'someone' }, body });
  };

  it('makes one comment, and gives that the new text later, also behind a hundred others', async () => {
    someone(130);
    const hostile = '## "quotes" \\ `ticks` $(touch x) \'; <script>\n\té\u2028 %s\n';
    const first = await comment(hostile);
    expect([first.status, first.stderr, first.posted]).toEqual([0, '', 'posted=true\n']);
    expect(github.comments).toHaveLength(131);
    expect(github.comments[130]?.body).toBe(`<!-- deadheat: deadheat -->\n${hostile}`);
    const second = await comment('newer\n');
    expect(second.posted).toBe('posted=true\n');
    expect(github.comments).toHaveLength(131);
    expect(github.comments[130]?.body).toBe('<!-- deadheat: deadheat -->\nnewer\n');
    expect(github.tokens).toEqual(new Set(['Bearer secret']));
    expect(existsSync(scene.path('x'))).toBe(false);
  });

  it('leaves alone what others wrote with its marker, and comments of other jobs', async () => {
    someone(1, '<!-- deadheat: deadheat -->\nmine');
    await comment('one', { PULL_REQUEST: '7', COMMENT_KEY: 'other_job' });
    await comment('two');
    expect(github.comments.map(({ body }) => body)).toEqual([
      '<!-- deadheat: deadheat -->\nmine',
      '<!-- deadheat: other_job -->\none',
      '<!-- deadheat: deadheat -->\ntwo',
    ]);
  });

  it('is no failure where the token may not write, unless there has to be a comment', async () => {
    github.mayWrite = false;
    const fork = await comment('text');
    expect([fork.status, fork.posted]).toEqual([0, 'posted=false\n']);
    expect(fork.stderr).toMatch(/^::warning::deadheat: no comment: GitHub answered 403/);
    expect((await comment('text', { PULL_REQUEST: '7', COMMENT_REQUIRED: 'true' })).status).toBe(1);
    await github.stop();
    const gone = await comment('text');
    expect([gone.status, gone.posted]).toEqual([0, 'posted=false\n']);
    await github.start();
  });

  it('finds the pull request by branch and last commit of a fork, and not by another commit', async () => {
    const head = { HEAD_OWNER: 'forker', HEAD_BRANCH: 'topic branch', HEAD_SHA: 'abc' };
    expect((await comment('of a fork', head)).posted).toBe('posted=true\n');
    expect(github.requests).toContain('POST /repos/o/r/issues/7/comments');
    const late = await comment('too late', { ...head, HEAD_SHA: 'def' });
    expect([late.status, late.posted]).toEqual([0, 'posted=false\n']);
    expect(late.stderr).toContain('newer commits have their own run');
    expect(github.comments).toHaveLength(1);
  });

  it('cuts what would be too long, and refuses keys and numbers that are none', async () => {
    await comment('x'.repeat(200_000));
    expect(github.comments[0]?.body.length).toBeGreaterThan(64_000);
    for (const env of [{ PULL_REQUEST: '7/../8' }, { PULL_REQUEST: '7', COMMENT_KEY: 'a --> b' }]) {
      const { status, posted } = await comment('text', env);
      expect([status, posted]).toEqual([0, 'posted=false\n']);
    }
    expect(github.comments).toHaveLength(1);
  });
});

describe.skipIf(absent.length > 0)('ci/verdict.sh', () => {
  it('ends with the code, and forgives with never only what was measured', () => {
    const end = (...words: readonly string[]): number | null =>
      spawnSync('bash', [script('verdict.sh'), ...words], { env: clean }).status;
    const codes = ['0', '1', '2', '4', '5', '6', '124'];
    expect(codes.map((code) => end(code, 'slower'))).toEqual([0, 1, 2, 4, 5, 6, 124]);
    expect(codes.map((code) => end(code, 'never'))).toEqual([0, 0, 2, 4, 0, 0, 124]);
  });
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly steps: readonly { readonly run?: string; readonly env?: Environment }[] };
}

describe('the action', () => {
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');

  it.each(['action.yml', 'ci/comment/action.yml'])('%s puts no text of others into a script', (name) => {
    const { inputs, runs } = parse(read(name)) as Action;
    const scripts = runs.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(scripts.length).toBeGreaterThan(0);
    for (const text of scripts) {
      expect(text).not.toContain('${{');
      const [, path = ''] = /"\$GITHUB_ACTION_PATH\/([^"]+)"/.exec(text) ?? [];
      expect(existsSync(join(root, name, '..', path)), path).toBe(true);
    }
    for (const input of Object.keys(inputs)) expect(read(name)).toContain(`inputs.${input} `);
  });

  it('hands on every setting that the script reads, and docs/ci.md has each of its inputs', () => {
    const { inputs, runs } = parse(read('action.yml')) as Action;
    const given = Object.keys(Object.assign({}, ...runs.steps.map(({ env = {} }) => env)) as Environment);
    const wanted = [...read('ci/compare.sh').matchAll(/\$\{((?:INPUT_|PUSHED_)\w+)/g)].map(([, name = '']) => name);
    const made = new Set(['INPUT_OUTPUT', 'INPUT_HEAD']);
    expect([...new Set(wanted)].filter((name) => !made.has(name)).toSorted()).toEqual(
      given.filter((name) => /^(INPUT_|PUSHED_)/.test(name)).toSorted(),
    );
    const documented = [...read('docs/ci.md').matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name]) => name);
    expect(Object.keys(inputs).toSorted()).toEqual(documented.toSorted());
  });

  it('has examples and a template that are YAML and name what is there', () => {
    for (const name of ['ci/examples/benchmarks.yml', 'ci/examples/benchmarks-comment.yml', 'ci/gitlab.yml']) {
      expect(parse(read(name))).toBeTypeOf('object');
    }
    for (const [, path = ''] of read('ci/gitlab.yml').matchAll(/\/tmp\/deadheat\/(ci\/\S+)/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    const { inputs } = parse(read('action.yml')) as Action;
    const example = parse(read('ci/examples/benchmarks.yml')) as {
      readonly jobs: {
        readonly compare: { readonly steps: readonly { readonly with?: object; readonly uses: string }[] };
      };
    };
    const step = example.jobs.compare.steps.find(({ uses }) => uses.includes('/deadheat@'));
    expect(Object.keys(step?.with ?? {}).filter((name) => !(name in inputs))).toEqual([]);
  });
});
