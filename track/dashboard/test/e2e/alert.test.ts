import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { madeUpRecording } from '../../../../bench/lib/made-up-recording.js';
import { useScene } from '../../../../core/cli/test/e2e/support.ts';

interface Message {
  readonly kind: string;
  readonly events: readonly { readonly kind: string; readonly direction?: string }[];
}

describe('deadheat alert', () => {
  const scene = useScene();
  const messages: Message[] = [];
  let status = 200;
  let url = '';
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (status === 200) messages.push(JSON.parse(body) as Message);
      response.writeHead(status).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  /** B takes 10 % longer from the fifth commit on, which is found with the eighth. */
  async function record(at: number): Promise<void> {
    const commit = (label: string, day: number): { id: string; label: string; committedAt: string } => ({
      id: `${label}00000000`,
      label,
      committedAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`,
    });
    await madeUpRecording(scene.path(`history/rec${at}`), {
      id: `exp${at}`,
      startedAt: `2026-04-0${at + 1}T10:00:00.000Z`,
      commits: { A: commit('v1', 1), B: commit(`c${at}`, 10 + at) },
      slowdown: at < 4 ? 1 : 1.1,
    });
  }

  const look = ['history', 'alert', 'alerts.yaml', '--from', 'history'];

  it('tells a webhook and a mailbox once what is new, by two that look at once, and later what could not be sent', async () => {
    for (let at = 0; at < 7; at += 1) await record(at);
    scene.script('mailer', `cat >> '${scene.path('mail')}'`);
    writeFileSync(
      scene.path('alerts.yaml'),
      `channels:\n  chat: { webhook: ${url} }\n  team: { command: ./mailer, to: [a@example.org] }\n`,
    );
    expect(await scene.run(['history', 'alert', 'alerts.yaml', '--test'])).toEqual({
      status: 0,
      stdout: 'chat: 2 events sent\nteam: 2 events sent\n',
      stderr: '',
    });
    expect(messages.splice(0)).toMatchObject([{ kind: 'test' }]);
    expect(await scene.run(look)).toMatchObject({ status: 0, stdout: 'chat: nothing new\nteam: nothing new\n' });

    await record(7);
    status = 404;
    const failed = await scene.run(look);
    expect(failed).toMatchObject({ status: 4, stdout: 'chat: not sent\nteam: 1 event sent\n' });
    expect(failed.stderr).toMatch(/^deadheat: chat: not sent: the webhook answers 404\./);
    status = 200;
    const both = await Promise.all([scene.start(look).ended, scene.start(look).ended]);
    expect(both.map(({ status: exit }) => exit)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => stdout).toSorted()).toEqual([
      'chat: 1 event sent\nteam: nothing new\n',
      'chat: nothing new\nteam: nothing new\n',
    ]);
    expect(messages).toMatchObject([{ kind: 'alert', events: [{ kind: 'change', direction: 'slower' }] }]);
  });

  it('is done by the dashboard while it runs', async () => {
    for (let at = 0; at < 7; at += 1) await record(at);
    messages.length = 0;
    writeFileSync(scene.path('alerts.yaml'), `every: 1s\nchannels:\n  chat: { webhook: ${url} }\n`);
    await scene.run(look);
    await record(7);
    const running = scene.start(['history', 'serve', '--from', 'history', '--port', '0', '--alerts', 'alerts.yaml']);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await expect.poll(() => messages.length, { timeout: 60_000 }).toBe(1);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ status: 0, stderr: '' });
  });
});
