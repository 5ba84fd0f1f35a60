import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { leavesNothing, until, useScene } from '../../../../core/cli/test/e2e/support.ts';
import { SceneRepository, setup, skipped } from '../../../../core/cli/test/e2e/support-repository.ts';

describe.skipIf(skipped !== null)('deadheat history watch', () => {
  const scene = useScene(leavesNothing);
  const repository = new SceneRepository(scene);
  const benchmarks = `runs: 5
methods: [tandem]
metric: cpu
margin: 60%
benchmarks:
  loop:
    command: sh work.sh
`;

  it('measures new commits, fills gaps, skips what does not build, and goes on where it was', async () => {
    repository.history();
    writeFileSync(scene.path('bench.yaml'), benchmarks);
    const where = ['--build', setup, '--store', '../store', '--directory', '../state', '--canary', 'none'];
    const args = ['history', 'watch', '.', '--benchmarks', '../bench.yaml', '--commits', '5', ...where];
    const hashes = repository.git('log', '--reverse', '--format=%h', '-5').split('\n');
    const [broken = '', mended, slower, , newest] = hashes;

    const first = await repository.run(...args, '--once');
    expect([first.status, first.stdout]).toEqual([0, '']);
    const begun = [...first.stderr.matchAll(/ (\w+) [^,\n]+, against (\w+) \(([^)]*)\)/g)].map(([, ...words]) => words);
    expect(begun[0]).toEqual([newest, hashes[3], 'new commit']);
    // The change is held against the commit before it.
    expect(begun).toContainEqual([slower, mended, expect.any(String)]);
    expect(first.stderr).toMatch(new RegExp(`${broken}\\w* is skipped, attempt 1 of 3; it is tried again after`));
    const listed = await repository.run('history', 'show', '--from', '../store', '--all');
    expect(listed.stdout).toMatch(new RegExp(`${mended ?? ''} -> ${slower ?? ''} .* SLOWER`));
    for (const hash of hashes.slice(1)) expect(listed.stdout).toContain(`-> ${hash}`);
    expect(listed.stdout).not.toContain(`-> ${broken}`);

    const last = repository.commit('one more', { notes: '4' });
    const daemon = scene.start([...args, '--poll', '1h'], {
      cwd: 'repo',
      env: { DEADHEAT_CACHE: scene.path('cache') },
    });
    const stored = (): number => readdirSync(scene.path('store')).filter((name) => /^\d/.test(name)).length;
    const before = stored();
    await until(() => stored() > before);
    daemon.child.kill('SIGINT');
    const ended = await daemon.ended;
    expect(ended.status).toBe(130);
    expect(ended.stderr).toContain(`${last.slice(0, 7)} one more, against ${newest ?? ''} (new commit)`);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  // AuthenticationOk with ReadyForQuery; then two CommandComplete with ReadyForQuery, for the settings of the connection.
  const ready = 'Z\0\0\0\x05I';
  const answers = [`R\0\0\0\x08\0\0\0\0${ready}`, `${'C\0\0\0\x08SET\0'.repeat(2)}${ready}`];

  it.each([0, 1, 2])('ends on a signal where a database hangs after %s answers', async (given) => {
    const sockets = new Set<Socket>();
    let asked = 0;
    const database = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.on('data', () => {
        const answer = asked < given ? answers[asked] : undefined;
        asked += 1;
        if (answer !== undefined) socket.write(Buffer.from(answer, 'latin1'));
      });
    });
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
    const address = database.address();
    const store = `postgres://ci@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/none`;
    const watch = scene.start(['history', 'watch', '--canary', '6h', '--store', store, '--directory', 'state']);
    await until(() => asked > given);
    watch.child.kill('SIGTERM');
    const { status, stderr } = await watch.ended;
    for (const socket of sockets) socket.destroy();
    database.close();
    expect([status, stderr]).toEqual([130, expect.stringContaining(`${store} did not answer within 5 s`)]);
  });

  it('keeps the functions of a commit that is slower in the history, where the page of the change shows them', async () => {
    const program = (turns: number): string =>
      `function spin(turns) { let sum = 0; for (let at = 0; at < turns; at++) sum = (sum * 31 + at) % 65521; return sum; }
       let all = 0; for (let at = 0; at < ${turns}; at++) all += spin(1e6); if (all < 0) console.log(all);`;
    repository.commit('first', { 'work.js': program(40) });
    repository.commit('slower', { 'work.js': program(160) });
    const file = benchmarks.replace('sh work.sh', 'node work.js').replace('tandem', 'alone').replace('5', '12');
    writeFileSync(scene.path('bench.yaml'), file);
    const where = ['--store', '../store', '--directory', '../state', '--canary', 'none', '--commits', '1'];
    const ended = await repository.run(
      'history',
      'watch',
      '.',
      '--benchmarks',
      '../bench.yaml',
      '--once',
      '--explain',
      ...where,
    );
    expect([ended.status, ended.stderr]).toEqual([0, expect.not.stringContaining('not explained')]);
    const kept = readdirSync(scene.path('store')).find((name) => /^\d/.test(name)) ?? '';
    expect(JSON.parse(readFileSync(scene.path(`store/${kept}/explanation.json`), 'utf8'))).toMatchObject({
      schema: 'deadheat.explain/1',
      functions: expect.arrayContaining([expect.objectContaining({ B: expect.objectContaining({ name: 'spin' }) })]),
    });
  });
});
