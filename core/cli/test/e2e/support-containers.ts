import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { processesWith, useScene, type Scene } from './support.ts';

const clients = fileURLToPath(new URL('../../../../clients/c/', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** Programs of busybox that the images have. */
const programs = ['sh', 'sleep', 'true', 'dd', 'ls', 'cat', 'id', 'seq', 'sort', 'nproc', 'kill', 'test', 'head', 'wc'];

/** Podman as it works on this machine, with images of our own making. */
export class TestEngine {
  /** Variables that it needs here. */
  readonly environment: Record<string, string>;
  readonly #directory: string;
  readonly #tag = `t${process.pid}`;
  readonly #images = new Set<string>();
  #service: ChildProcess | null = null;

  private constructor(directory: string, environment: Record<string, string>) {
    this.#directory = directory;
    this.environment = environment;
  }

  /** The engine, or why container tests cannot run here. */
  static find(): TestEngine | string {
    if (spawnSync('podman', ['version']).status !== 0) return 'there is no podman here that works';
    if (spawnSync('busybox', ['true']).status !== 0) return 'there is no busybox here for images';
    const directory = mkdtempSync(join(tmpdir(), 'test-engine-'));
    // Virtual machines may let nobody raise limits, and have control groups that crun does not know.
    const hard = (name: string): string =>
      new RegExp(String.raw`^${name} +\S+ +(\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '1024';
    const [files, processes] = [hard('Max open files'), String(Math.min(32_768, Number(hard('Max processes'))))];
    const limits = `[containers]\ndefault_ulimits = ["nofile=${files}:${files}", "nproc=${processes}:${processes}"]\n`;
    let said = '';
    for (const text of [null, limits, `[engine]\nruntime = "runc"\n${limits}`]) {
      const file = join(directory, 'containers.conf');
      if (text !== null) writeFileSync(file, text);
      const engine = new TestEngine(directory, text === null ? {} : { CONTAINERS_CONF: file });
      const image = engine.image('probe');
      const tried = engine.call(['run', '--rm', '--network=none', '--cpuset-cpus=0', image, '/bin/true']);
      if (tried.status === 0) return engine;
      said = tried.stderr.trim().split('\n').at(-1) ?? '';
      engine.removeImages();
    }
    rmSync(directory, { recursive: true });
    return `podman runs no container here: ${said}`;
  }

  call(args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    return spawnSync('podman', args, { encoding: 'utf8', env: { ...process.env, ...this.environment } });
  }

  /**
   * Starts podman's service of docker's interface. Gives the variables with which docker's client talks to it, or why
   * that cannot be tested here.
   */
  async serveDocker(): Promise<Readonly<Record<string, string>> | string> {
    if (spawnSync('docker', ['--version']).status !== 0) return 'there is no client of docker here';
    const address = `unix://${join(this.#directory, 'docker.sock')}`;
    const environment = { ...process.env, ...this.environment };
    const service = spawn('podman', ['system', 'service', '--time=0', address], { stdio: 'ignore', env: environment });
    this.#service = service;
    const variables = { ...this.environment, DOCKER_HOST: address };
    while (service.exitCode === null && service.signalCode === null) {
      const { status } = spawnSync('docker', ['version'], { env: { ...process.env, ...variables } });
      if (status === 0) return variables;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return 'podman has no service that docker can talk to';
  }

  /**
   * Makes an image of busybox and `extra` programs, by path, that begins in the folder `cwd`; gives its name. One that is
   * there is replaced.
   */
  image(name: string, extra: Readonly<Record<string, string>> = {}, cwd = '/'): string {
    const full = `localhost/deadheat-${this.#tag}-${name}:1`;
    const root = join(this.#directory, name);
    for (const folder of ['bin', 'tmp', 'proc', 'sys', 'dev', 'etc']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
    cpSync(busybox, join(root, 'bin/busybox'));
    for (const program of programs) symlinkSync('busybox', join(root, 'bin', program));
    mkdirSync(join(root, cwd), { recursive: true });
    for (const [path, source] of Object.entries(extra)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      rmSync(join(root, path), { force: true });
      cpSync(source, join(root, path));
    }
    writeFileSync(join(root, 'etc/name'), `${name}\n`);
    // No layer is equal to one of another worker, who would take it away with its own image.
    writeFileSync(join(root, 'etc/owner'), `${this.#tag}\n`);
    const archive = join(this.#directory, `${name}.tar`);
    execFileSync('tar', ['-C', root, '-cf', archive, '.']);
    const imported = this.call(['import', '--quiet', `--change=WORKDIR ${cwd}`, archive, full]);
    if (imported.status !== 0) throw new Error(imported.stderr);
    rmSync(root, { recursive: true });
    this.#images.add(full);
    return full;
  }

  /** Compiles a C program that needs no library of its image. */
  compile(source: 'harness' | 'agent'): string {
    const file = join(this.#directory, `${source}.program`);
    const text = source === 'harness' ? join(clients, 'examples/sort.c') : join(fixtures, 'agent-side.c');
    execFileSync('gcc', ['-O2', '-static', '-pthread', '-D_GNU_SOURCE', `-I${clients}`, '-o', file, text, '-lrt']);
    return file;
  }

  /** Containers of experiments with images of ours, running or not. */
  containers(): readonly string[] {
    const { stdout } = this.call(['ps', '--all', '--filter=label=deadheat', '--format={{.Names}} {{.Image}}']);
    return stdout
      .split('\n')
      .filter((line) => line.includes(`deadheat-${this.#tag}-`))
      .map((line) => line.split(' ')[0] ?? '');
  }

  removeImages(): void {
    if (this.#images.size > 0) this.call(['rmi', '--force', ...this.#images]);
    this.#images.clear();
  }

  end(): void {
    this.#service?.kill();
    this.removeImages();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** A scene whose tests leave neither containers nor shared pages; the engine ends after all of them. */
export function useContainerScene(engine: TestEngine): Scene {
  afterAll(() => engine.end());
  return useScene((scene) => {
    expect(engine.containers()).toEqual([]);
    expect(scene.leftoverPages()).toEqual([]);
  });
}

/** Why static programs cannot be made; `null` when they can. */
export const noCompiler: string | null =
  spawnSync('gcc', ['-static', '-x', 'c', '-o', '/dev/null', '-'], { input: 'int main(void) { return 0; }' }).status ===
  0
    ? null
    : 'there is no gcc here that makes static programs';

/** A time that nothing else on this machine sleeps for, s. */
export const asleep: number = 80_000 + (process.pid % 10_000);

/** Programs that sleep so long; the shells that wait to become them are not counted. */
export function sleepers(): number {
  return processesWith(`sleep\u0000${asleep}`).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\u0000${asleep}\u0000`;
    } catch {
      return false;
    }
  }).length;
}

/** Guardian and launchers of an experiment's process. */
export function helpersOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
}
