import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { openHistory } from '@deadheat/history';
import { until, useScene } from '../../../../core/cli/test/e2e/support.ts';
import { initFleet } from '../fleet-index.ts';
import { FleetScene, noPostgres } from '../support.ts';

/** Stands before a server, and takes it away: it swallows every byte of old and new connections, or ends and refuses them. */
class Gate {
  readonly #sockets = new Set<Socket>();
  state: 'open' | 'swallows' | 'refuses' = 'open';
  port = 0;
  readonly #server;

  constructor(path: () => string) {
    this.#server = createServer((near) => {
      this.#sockets.add(near);
      near.on('error', () => undefined);
      if (this.state === 'refuses') near.destroy();
      if (this.state !== 'open') return;
      const far = connect(path());
      this.#sockets.add(far);
      far.on('error', () => undefined);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => void (this.state === 'open' && to.write(bytes)));
        from.on('close', () => void (this.state === 'open' && to.destroy()));
      }
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  shut(how: 'swallows' | 'refuses'): void {
    this.state = how;
    if (how === 'refuses') this.end();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  stop(): void {
    this.end();
    this.#server.close();
  }
}

/** Ten seconds are promised; the rest is for a machine that does much else. */
const mostMs = 13_000;

describe.skipIf(noPostgres !== null)('whoever is asked to end while the database is gone', () => {
  const fleet = new FleetScene();
  const scene = useScene();
  const gate = new Gate(() => join(fleet.socket, '.s.PGSQL.5432'));
  beforeAll(() => gate.start());
  afterAll(() => gate.stop());

  async function urlOf(): Promise<string> {
    gate.state = 'open';
    await initFleet(fleet.url(), { roles: false, variables: {} });
    await (await openHistory(fleet.url(), { forWriting: true, variables: {} })).close();
    return `postgres://postgres@127.0.0.1:${gate.port}/${fleet.sql('select current_database()')}`;
  }

  const commands = {
    serve: (url: string) => ({
      args: ['history', 'serve', '--from', url, '--fleet', url, '--port', '0'],
      isReady: (said: string) => said.includes('http://'),
    }),
    worker: (url: string) => ({
      args: ['fleet', 'worker', '--fleet', url, '--allow-commands', '--directory', 'w', '--lock-directory', 'l'],
      isReady: (said: string) => said.includes('is ready'),
    }),
    submitter: (url: string) => ({
      args: ['run', 'slow.yaml', '--on', `fleet:${url}`, '--code', 'here', '--output', 'r'],
      isReady: () => fleet.sql("select count(*) from deadheat_fleet.run where state = 'active'") !== '0',
    }),
  } as const;

  it.each([
    ['serve', 'swallows', 0],
    ['serve', 'swallows', 2000],
    ['serve', 'refuses', 2000],
    ['worker', 'swallows', -1],
    ['worker', 'swallows', 0],
    ['worker', 'swallows', 12_000],
    ['worker', 'refuses', 2000],
    ['submitter', 'swallows', 0],
    ['submitter', 'swallows', 12_000],
    ['submitter', 'refuses', 2000],
  ] as const)('%s ends soon where it %s all, after %i ms', async (who, how, afterMs) => {
    // The database hangs before it is asked for the first time.
    const isEarly = afterMs < 0;
    const url = await urlOf();
    writeFileSync(scene.path('slow.yaml'), 'runs: 2\nbenchmarks: { slow: { command: sleep 60 } }\n');
    if (who === 'submitter')
      await fleet.worker('other', { permissions: { repositories: [], images: [], commands: true } }).until('ready');
    const { args, isReady } = commands[who](url);
    const running = scene.start(args);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    if (isEarly) {
      gate.shut(how);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    } else await until(() => isReady(running.said) || running.child.exitCode !== null);
    expect(running.child.exitCode, running.said).toBe(null);
    gate.shut(how);
    const page = /http:\S+/.exec(running.said)?.[0];
    // Somebody waits for a page of what is not answered.
    if (page !== undefined) void fetch(`${page}benchmarks`).catch(() => undefined);
    if (page !== undefined) void fetch(`${page}fleet`).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, afterMs)));
    const began = performance.now();
    running.child.kill('SIGTERM');
    const ended = await Promise.race([
      running.ended,
      new Promise((resolve) => setTimeout(resolve, mostMs, 'still there')),
    ]);
    const tookMs = performance.now() - began;
    gate.state = 'open';
    expect(ended, running.said).not.toBe('still there');
    console.log(`${who} ${how} ${afterMs}: ${Math.round(tookMs)} ms`);
  });
});
