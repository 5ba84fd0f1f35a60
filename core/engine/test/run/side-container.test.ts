import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContainerEngine } from '../../src/run/container/container-engine.ts';
import { SideContainer, type SideContainerOptions } from '../../src/run/container/side-container.ts';

/** A container in which a program is executed until `end` is called, and that an engine passes requests to by `passOn`. */
class Scene {
  readonly place: SideContainer;
  readonly calls: string[] = [];
  readonly #executed: Promise<unknown>;
  readonly #directory: string;
  #passOn = (): void => {};

  constructor(directory: string) {
    this.#directory = directory;
    const name = join(directory, 'engine');
    writeFileSync(name, '#!/bin/sh\nuntil test -e "$0.end"; do sleep 0.01; done\n', { mode: 0o755 });
    const passedOn = new Promise<void>((resolve) => {
      this.#passOn = resolve;
    });
    const call: ContainerEngine['call'] = async ([command = '']) => {
      this.calls.push(command);
      if (command === 'exec') await passedOn;
      return { status: 0, stdout: '', stderr: '', tail: '' };
    };
    const options = { engine: { name, call }, name: 'side', container: { workingDirectory: null } };
    this.place = new SideContainer(options as unknown as SideContainerOptions);
    this.#executed = this.place.execute({ argv: ['true'], environment: {}, output: [1, 2] });
  }

  async passOn(): Promise<void> {
    this.#passOn();
    await vi.advanceTimersByTimeAsync(0);
  }

  async end(): Promise<void> {
    writeFileSync(join(this.#directory, 'engine.end'), '');
    await this.#executed;
  }
}

describe.skipIf(process.platform === 'win32')('a program in a container that is asked to end', () => {
  let directory: string;
  let scene: Scene;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'deadheat-side-'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    scene = new Scene(directory);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await scene.end();
    rmSync(directory, { recursive: true });
  });

  it('has its time for results from when a slow engine has passed that on', async () => {
    scene.place.askToEnd();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(scene.calls).toEqual(['exec']);
    await scene.passOn();
    await vi.advanceTimersByTimeAsync(4900);
    expect(scene.calls).toEqual(['exec']);
    await vi.advanceTimersByTimeAsync(200);
    expect(scene.calls).toEqual(['exec', 'kill']);
  });

  it('is ended where the engine does not answer', async () => {
    scene.place.askToEnd();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(scene.calls).toEqual(['exec', 'kill']);
  });

  it('is left in peace once it has ended, for its files to be copied out', async () => {
    scene.place.askToEnd();
    await scene.end();
    await scene.passOn();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(scene.calls).toEqual(['exec']);
  });
});
