// Pushes a small recording into a history whenever its parent says so. Usage: push-more.js PLACE
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '@deadheat/history';
import { madeUpRecording } from '../lib/made-up-recording.js';

const [, , place] = process.argv;
let pushed = 0;

process.on('message', () => {
  push().then(
    () => process.send(null),
    (error) => process.send(String(error)),
  );
});

async function push() {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-serve-'));
  const history = await openHistory(place, { forWriting: true, variables: process.env });
  try {
    pushed += 1;
    const startedAt = new Date(Date.UTC(2026, 0, 1) + pushed * 60e3).toISOString();
    await madeUpRecording(join(folder, 'recording'), { id: `pushed-${pushed}`, startedAt });
    await history.put({ directory: join(folder, 'recording') });
  } finally {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
