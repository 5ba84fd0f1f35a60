import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { workloadFacts, methodFacts, sides, type Benchmark, type Failure, type Side } from '@deadheat/model';
import {
  createAgentBarrier,
  createPage,
  poison,
  word,
  type Launcher,
  type Page,
  type WaitPolicy,
} from '@deadheat/sync';
import { executeInTurn, sidesInOrder, type RunOutcome, type RunRequest, type SideOutcome } from '../executor.ts';
import type { Confinement } from './confinement.ts';
import { ContainerError, type ContainerEngine } from './container-engine.ts';
import { copyOutput, SideOutput, takeFile } from './side-output.ts';
import { describeEnd, isFine, type SideEnd, type SideProgram, whyKilled } from './describe-end.ts';
import { LatchedProgram } from './latched-program.ts';
import { inside, insideVariables } from './inside.ts';
import { experimentLabel, filesLabel, ownerLabel } from './leftover-containers.ts';
import { barrierName, resultFileName, type RunFolders } from './run-folders.ts';
import { SelfTimedProgram } from './self-timed-program.ts';
import { SideContainer, type Mount } from './side-container.ts';

interface ContainerRunOptions extends ContainerExecutorOptions {
  readonly request: RunRequest;
  readonly benchmark: Benchmark;
  readonly containers: NonNullable<Benchmark['containers']>;
  readonly folders: RunFolders;
  /** Where the launchers meet. */
  readonly page: Page;
  /** `null` = no benchmark needs them. */
  readonly launchers: Readonly<Record<Side, Launcher>> | null;
}

/** One run: two containers from their start to their removal. */
export class ContainerRun {
  readonly #options: ContainerRunOptions;
  readonly #places: Readonly<Record<Side, SideContainer>>;
  /** The page of programs that meet at a barrier of their own. */
  readonly #programPage: Page | null;
  /** Name of the barrier of programs with the Java agent. */
  readonly #agentBarrier: string | null;
  /** Distinguishes the names of its containers from those of every other run, also of one that was killed. */
  readonly #mark = randomBytes(4).toString('hex');
  #calledOff = false;

  constructor(options: ContainerRunOptions) {
    this.#options = options;
    const { request, benchmark, containers, folders } = options;
    const isSync = methodFacts[request.method].barrier;
    folders.renew();
    this.#programPage = isSync && workloadFacts[benchmark.workload].protocol ? createPage(folders.pages) : null;
    if (this.#programPage !== null) chmodSync(this.#programPage.path, 0o666);
    this.#agentBarrier = isSync && containers.agentBarrier ? barrierName({ ...request, benchmark }) : null;
    if (this.#agentBarrier !== null) {
      const path = createAgentBarrier({ directory: folders.pages, name: this.#agentBarrier, parties: sides.length });
      chmodSync(path, 0o666);
    }
    if (request.selfTimed !== null) chmodSync(request.selfTimed.calibration, 0o777);
    this.#places = { A: this.#place('A'), B: this.#place('B') };
    for (const room of ['logs', 'results'] as const) {
      mkdirSync(dirname(join(options.folder, this.#kept(room, 'A', ''))), { recursive: true });
    }
  }

  get names(): readonly string[] {
    return sides.map((side) => this.#places[side].name);
  }

  /**
   * Makes the run.
   *
   * @throws ContainerError `ENGINE_FAILED` when a container cannot be removed
   */
  async make(): Promise<RunOutcome> {
    const programs = { A: this.#program('A'), B: this.#program('B') };
    const ends: Partial<Record<Side, SideEnd>> = {};
    try {
      const failures = [...(await this.#start())];
      if (failures.length === 0 && !this.#calledOff) {
        const ofHooks = await this.#steered(() => this.#execute(programs, ends));
        for (const side of sides) failures.push(...(await this.#failure(side, ends[side])));
        failures.push(...ofHooks, ...(await this.#collect({ isFailed: failures.length + ofHooks.length > 0 })));
      }
      return { sides: { A: toOutcome(ends.A), B: toOutcome(ends.B) }, failures };
    } finally {
      await Promise.all(sides.map(async (side) => this.#places[side].remove()));
      for (const side of sides) programs[side].close();
    }
  }

  /** Ends the programs; {@link make} settles soon after. */
  callOff(): void {
    this.#calledOff = true;
    this.#poison(poison.cancelled);
    for (const side of sides) this.#places[side].end();
  }

  async #steered<Result>(execute: () => Promise<Result>): Promise<Result> {
    const steering = this.#options.request.selfTimed?.steering ?? null;
    if (this.#programPage !== null) steering?.begin(this.#programPage, { A: this.#record('A'), B: this.#record('B') });
    try {
      return await execute();
    } finally {
      steering?.end();
    }
  }

  /** File that a harness writes, as it is seen outside. */
  #record(side: Side): string {
    return join(this.#options.folders.of(side), basename(inside.record));
  }

  #place(side: Side): SideContainer {
    const { engine, experiment, owner, request, benchmark, containers, confinement, folders } = this.#options;
    const { selfTimed } = request;
    const mounts: readonly Mount[] = [
      { source: folders.of(side), target: inside.run },
      ...(this.#programPage === null ? [] : [{ source: folders.pages, target: inside.pages }]),
      // The agent opens its barrier by shm_open, which looks nowhere else.
      ...(this.#agentBarrier === null ? [] : [{ source: folders.pages, target: '/dev/shm' }]),
      ...(selfTimed === null ? [] : [{ source: selfTimed.calibration, target: inside.calibration }]),
      ...(benchmark.input === null ? [] : [{ source: benchmark.input, target: inside.input, readOnly: true }]),
    ];
    return new SideContainer({
      engine,
      name: `deadheat-${experiment}-${this.#mark}-${side}`,
      container: containers[side],
      confinement,
      labels: {
        [experimentLabel]: experiment,
        [ownerLabel]: owner,
        [filesLabel]: folders.roots.join(':'),
      },
      cpus: request.cpus[side],
      mounts,
    });
  }

  #program(side: Side): SideProgram {
    const { request, benchmark, containers, folder, folders, output, page, launchers } = this.#options;
    const wait = methodFacts[request.method].cpus === 'one-shared' ? 'yield' : this.#options.wait;
    const { selfTimed } = request;
    const isHarness = workloadFacts[benchmark.workload].protocol;
    const { argv } = benchmark.commands[side];
    const common = {
      request,
      place: this.#places[side],
      countsCut: containers.countsCut,
      argv: this.#agentBarrier === null ? argv : argv.map((word) => word.replaceAll('$$', this.#agentBarrier ?? '')),
      hasInput: benchmark.input !== null,
      environment: insideVariables(side, { request, benchmark, page: this.#programPage, wait }),
      output: new SideOutput({
        path: join(folder, this.#kept('logs', side, '')),
        stdout: selfTimed === null || isHarness || containers[side].output !== null ? null : selfTimed.files[side],
        inherit: output === 'inherit',
      }),
    };
    if (selfTimed === null) {
      if (launchers === null) throw new RangeError('a command needs the launchers');
      const launcher = launchers[side];
      return new LatchedProgram({ ...common, launcher, wait, cpus: request.cpus[side], folder: folders.of(side) });
    }
    return new SelfTimedProgram({
      ...common,
      party: side === 'A' ? 0 : 1,
      progressFile: isHarness ? this.#record(side) : selfTimed.files[side],
      page,
      programPage: this.#programPage,
    });
  }

  /** Starts both containers; returns the failures. */
  async #start(): Promise<readonly Failure[]> {
    const { request, benchmark } = this.#options;
    const failures: Failure[] = [];
    await Promise.all(
      sides.map(async (side) => {
        try {
          await this.#places[side].start();
        } catch (error) {
          if (!(error instanceof ContainerError)) throw error;
          const what = `${side} could not be started in run ${request.run + 1}: ${benchmark.commands[side].commandLine}`;
          failures.push({ side, code: 'NOT_STARTED', message: `${what}\n${error.message}` });
        }
      }),
    );
    return failures;
  }

  /** Gives failures of hooks. */
  async #execute(
    programs: Readonly<Record<Side, SideProgram>>,
    ends: Partial<Record<Side, SideEnd>>,
  ): Promise<readonly Failure[]> {
    const { request } = this.#options;
    await Promise.all(sides.map(async (side) => programs[side].ready()));
    if (!methodFacts[request.method].together) {
      return executeInTurn(request, async (side) => {
        const end = await programs[side].execute();
        ends[side] = end;
        return this.#goesOn(end);
      });
    }
    let failed = false;
    await Promise.all(
      sidesInOrder(request).map(async (side) => {
        const end = await programs[side].execute();
        if (this.#programPage !== null) poisonPage(this.#programPage, poison.peerLost);
        // The other side's further executions have no pair.
        if (failed) return;
        ends[side] = end;
        if (this.#goesOn(end)) return;
        failed = true;
        this.#poison(poison.cancelled);
        this.#places[side === 'A' ? 'B' : 'A'].end();
      }),
    );
    return [];
  }

  /** True if the other side goes on after an end. */
  #goesOn(end: SideEnd): boolean {
    const { request, containers } = this.#options;
    return isFine(end, request) || (containers.countsCut && end.error === null && end.exceeded?.of === 'run');
  }

  async #failure(side: Side, end: SideEnd | undefined): Promise<readonly Failure[]> {
    if (end === undefined) return [];
    const { engine, request, benchmark, containers } = this.#options;
    const failure = describeEnd(side, {
      end,
      during: `run ${request.run + 1}`,
      commandLine: benchmark.commands[side].commandLine,
      image: containers[side].image,
      engine: engine.name,
      ignoreFailure: request.ignoreFailure,
      together: methodFacts[request.method].together && containers[side].network !== 'none',
    });
    if (failure === null) return [];
    if (failure.code !== 'SIGNAL' || this.#places[side].ended) return [failure];
    const why = await whyKilled(this.#places[side], containers[side]);
    return [why === null ? failure : { ...failure, message: `${failure.message}\n${why}` }];
  }

  /** Copies results out; after a failure what there is. */
  async #collect({ isFailed }: { readonly isFailed: boolean }): Promise<readonly Failure[]> {
    const { request, benchmark, containers, folder, folders } = this.#options;
    const failures: Failure[] = [];
    for (const side of sides) {
      const place = this.#places[side];
      const { results, output } = containers[side];
      const take = async (path: string, copy: () => Promise<string | null>): Promise<void> => {
        const why = await copy();
        if (why === null || isFailed || this.#calledOff) return;
        const message =
          `${side} left no ${path} in its container (${why}): ${benchmark.commands[side].commandLine}\n` +
          'Have it write the file, or name the one that it writes: a path in the container.';
        failures.push({ side, code: 'NO_RECORD', message });
      };
      for (const path of results) {
        const to = join(folder, this.#kept('results', side, basename(path)));
        rmSync(to, { recursive: true, force: true });
        await take(path, () => place.copyOut(path, to));
      }
      const file = request.selfTimed?.files[side];
      if (file === undefined) continue;
      if (workloadFacts[benchmark.workload].protocol) {
        const why = this.#takeRecord(side, file);
        if (why === null || isFailed || this.#calledOff) continue;
        const message = `${side} left a record that is not read (${why}): ${benchmark.commands[side].commandLine}`;
        failures.push({ side, code: 'BAD_RECORD', message });
        continue;
      }
      if (output === null) continue;
      rmSync(file, { force: true });
      await take(output, () => copyOutput(place, output, { to: file, stage: folders.stage(side) }));
    }
    return failures;
  }

  /** Takes the record that a harness wrote, if any; returns the reason of a failure, or `null`. */
  #takeRecord(side: Side, to: string): string | null {
    const folder = this.#options.folders.of(side);
    const name = basename(inside.record);
    const isThere = lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
    return isThere ? takeFile({ folder, name }, to) : null;
  }

  /** Where a side's file is kept in the recording; a pilot run or a warm-up run has the number of a measured one. */
  #kept(room: 'logs' | 'results', side: Side, file: string): string {
    const { request, benchmark } = this.#options;
    const { method, run, order, phase } = request;
    const name = resultFileName({ benchmark, method, run, order, side }, file);
    return phase === 'measure' ? join(room, name) : join(room, phase, name);
  }

  #poison(reason: number): void {
    poisonPage(this.#options.page, reason);
    if (this.#programPage !== null) poisonPage(this.#programPage, reason);
  }
}

function poisonPage({ words }: Page, reason: number): void {
  Atomics.compareExchange(words, word.poison, poison.none, reason);
}

function toOutcome(end: SideEnd | undefined): SideOutcome {
  return {
    executions: end?.executions ?? [],
    strays: end?.strays ?? 0,
    stderrBytes: end?.stderrBytes ?? 0,
    stopped: false,
    observed: end?.observed ?? null,
  };
}

export interface ContainerExecutorOptions {
  readonly engine: ContainerEngine;
  /** The limits of the containers; `null` = the programs are those of the user who runs the experiment. */
  readonly confinement: Confinement | null;
  /** Variables that hooks inherit. */
  readonly inherited: NodeJS.ProcessEnv;
  /** Id of the experiment, for the containers' label. */
  readonly experiment: string;
  /** Identifies this process among all others, for the containers' label. */
  readonly owner: string;
  /** The recording's folder: `logs` and `results` are in it. */
  readonly folder: string;
  readonly output: 'null' | 'inherit';
  /** The way in which the sides wait for each other: spinning needs a core each, all the time. */
  readonly wait: WaitPolicy;
}
