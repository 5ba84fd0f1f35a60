import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Launcher } from '@deadheat/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerEngine } from '../../src/run/container/container-engine.ts';
import { LatchedProgram } from '../../src/run/container/latched-program.ts';
import { SideContainer, type InsideEnd } from '../../src/run/container/side-container.ts';
import { SideOutput } from '../../src/run/container/side-output.ts';
import type { RunRequest } from '../../src/run/executor.ts';

/** A container whose program ends at once. */
class EndedContainer extends SideContainer {
  override async pid(): Promise<number | null> {
    return null;
  }

  override async execute(): Promise<InsideEnd> {
    return { startNs: 1, endNs: 2, status: 127 };
  }
}

describe.skipIf(process.platform !== 'linux')('the run folder of a container, where the image has put links', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-latched-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('leads to no file of the machine: none is emptied, and none gets another mode', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'of the machine\n', { mode: 0o600 });
    const run = join(folder, 'status');
    symlinkSync(victim, run);
    const place = new EndedContainer({
      engine: new ContainerEngine('podman', '0'),
      name: 'none',
      container: {
        image: 'evil',
        workingDirectory: null,
        cpus: null,
        memoryBytes: null,
        network: 'none',
        results: [],
        output: null,
      },
      confinement: null,
      labels: {},
      cpus: [0],
      mounts: [],
    });
    const program = new LatchedProgram({
      request: { executions: 1, run: 0, ignoreFailure: false } as RunRequest,
      cpus: [0],
      place,
      countsCut: false,
      launcher: { makeLatches: async () => {} } as unknown as Launcher,
      wait: 'yield',
      argv: ['true'],
      hasInput: false,
      environment: {},
      output: new SideOutput({ path: join(folder, 'log-'), stdout: null, inherit: false }),
      folder,
    });
    await program.ready();
    program.close();
    expect(readFileSync(victim, 'utf8')).toBe('of the machine\n');
    expect(statSync(victim).mode & 0o777).toBe(0o600);
  });
});
