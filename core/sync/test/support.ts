import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPage,
  getAffinity,
  hasNativeCalls,
  Launcher,
  removePage,
  setAffinity,
  sharedMemoryDirectory,
  type ExecuteReply,
  type Page,
} from '@deadheat/sync';
import { afterEach, beforeEach } from 'vitest';
import type { ExecuteRequest, ProgramRequest } from '../src/launcher/messages.ts';

/** Why tests that need a page cannot run here; `null` when they can. */
export const noPages: string | null = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : null;

/** One execution of program 0 on one CPU. */
export const once: Omit<ExecuteRequest, 'op'> = {
  program: 0,
  cpus: getAffinity().slice(0, 1),
  run: 7,
  padBytes: 100,
  repeat: 1,
  barrier: null,
  stopAtFailure: true,
};

/** Starts a process that may use one CPU alone; `undefined`: those that this one may use. */
export function startOn<T>(cpu: number | undefined, start: () => T): T {
  if (cpu === undefined) return start();
  const own = getAffinity();
  setAffinity([cpu]);
  try {
    return start();
  } finally {
    setAffinity(own);
  }
}

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What the tests of a `describe` have while they run. */
interface LauncherScene {
  directory: string;
  page: Page;
  launcher: Launcher;
  /** Executes a program once, or as the request says. */
  execute(argv: readonly string[], options?: LauncherOptions): Promise<ExecuteReply>;
}

interface LauncherOptions {
  readonly program?: Partial<ProgramRequest>;
  readonly request?: Partial<ExecuteRequest>;
}

/** A launcher of side A for each test of a `describe`, with a page and a folder of its own. */
export function useLauncher(): LauncherScene {
  const scene = { execute } as LauncherScene;

  beforeEach(async () => {
    scene.directory = mkdtempSync(join(tmpdir(), 'launcher-test-'));
    scene.page = createPage(scene.directory);
    scene.launcher = await Launcher.start({ page: scene.page.path, party: 0 });
  });
  afterEach(async () => {
    await scene.launcher.close();
    removePage(scene.page.path);
    rmSync(scene.directory, { recursive: true });
  });

  async function execute(argv: readonly string[], { program, request }: LauncherOptions = {}): Promise<ExecuteReply> {
    await scene.launcher.define({
      id: 0,
      argv,
      environment: { PATH: process.env['PATH'] ?? '', GIVEN: 'yes' },
      input: null,
      output: 'null',
      outputFile: null,
      workingDirectory: null,
      ...program,
    });
    return scene.launcher.execute({ ...once, ...request });
  }
  return scene;
}
