import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const programs = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scancel'];

/** Why no cluster can be started here; `null` when one can. */
export const noSlurm: string | null =
  process.getuid?.() !== 0
    ? 'it needs root'
    : (programs.map((name) => (isThere(name) ? null : `there is no ${name}`)).find((why) => why !== null) ?? null);

function isThere(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A cluster of several nodes on this machine. */
export class SlurmCluster {
  readonly #folder: string;
  readonly #nodes: readonly string[];

  private constructor(folder: string, nodes: readonly string[]) {
    this.#folder = folder;
    this.#nodes = nodes;
  }

  /** Starts it; its nodes are called n1, n2, … */
  static async start(nodes = 4): Promise<SlurmCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-slurm-'));
    const cluster = new SlurmCluster(
      folder,
      Array.from({ length: nodes }, (_, index) => `n${index + 1}`),
    );
    try {
      cluster.#startDaemons();
      await cluster.#untilIdle();
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  /** For what calls Slurm's programs. */
  get environment(): Readonly<Record<string, string>> {
    return { SLURM_CONF: this.#conf };
  }

  get #conf(): string {
    return join(this.#folder, 'slurm.conf');
  }

  stop(): void {
    for (const name of ['slurmctld', ...this.#nodes, 'munged']) {
      const file = join(this.#folder, `${name}.pid`);
      if (!existsSync(file)) continue;
      try {
        process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A node loses its power: its daemon and all that it executes end at once, and the controller gives it up. */
  lose(node: string): void {
    process.kill(Number(readFileSync(join(this.#folder, `${node}.pid`), 'utf8')), 'SIGKILL');
    const own = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && this.#isOn(node, pid));
    const parents = own.map((pid) => /^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? '');
    const steps = parents.filter((pid) => textOf(`/proc/${pid}/cmdline`).startsWith('slurmstepd'));
    for (const pid of new Set([...steps, ...own])) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    this.control('update', `NodeName=${node}`, 'State=DOWN', 'Reason=lost');
  }

  /** Starts the daemon of a lost node again, and waits until it takes tasks. */
  async returns(node: string): Promise<void> {
    execFileSync('slurmd', ['-N', node, '-f', this.#conf], { env: { ...process.env, ...this.environment } });
    await this.#untilIdle(node);
  }

  /** The number of the task of a job that a node executes. */
  partOn(node: string, job: string): string {
    const asked = ['--noheader', `--jobs=${job}`, `--nodelist=${node}`, '--format=%K'];
    return execFileSync('squeue', asked, { env: { ...process.env, ...this.environment }, encoding: 'utf8' }).trim();
  }

  /** Lets a task that waits to be started again start now; without effect on one that does not wait. */
  hurry(task: string): void {
    const options = { env: { ...process.env, ...this.environment } };
    spawnSync('scontrol', ['update', `JobId=${task}`, 'StartTime=now'], options);
  }

  /** Calls `scontrol`. */
  control(...words: readonly string[]): void {
    execFileSync('scontrol', words, { env: { ...process.env, ...this.environment } });
  }

  #isOn(node: string, pid: string): boolean {
    const variables = textOf(`/proc/${pid}/environ`).split('\0');
    return variables.includes(`SLURMD_NODENAME=${node}`) && variables.includes(`SLURM_CONF=${this.#conf}`);
  }

  #startDaemons(): void {
    const at = (name: string): string => join(this.#folder, name);
    for (const name of ['state', 'spool', 'run']) mkdirSync(at(name));
    // Munge and slurmctld refuse a folder that others could not enter.
    execFileSync('chmod', ['755', this.#folder]);
    writeFileSync(at('munge.key'), randomBytes(1024), { mode: 0o600 });
    const host = hostname().split('.')[0] ?? '';
    const ports = 20_000 + (process.pid % 4000) * 10;
    const count = this.#nodes.length;
    writeFileSync(
      at('slurm.conf'),
      `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmctldPort=${ports}
AuthType=auth/munge
AuthInfo=socket=${at('run/munge.sock')}
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}/%n
SlurmctldPidFile=${at('slurmctld.pid')}
SlurmdPidFile=${this.#folder}/%n.pid
SlurmctldLogFile=${at('slurmctld.log')}
SlurmdLogFile=${this.#folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=n[1-${count}] NodeHostname=${host} NodeAddr=127.0.0.1 Port=[${ports + 1}-${ports + count}] CPUs=2 RealMemory=500
PartitionName=main Nodes=n[1-${count}] Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
`,
    );
    const munge = [
      `--key-file=${at('munge.key')}`,
      `--socket=${at('run/munge.sock')}`,
      `--pid-file=${at('munged.pid')}`,
    ];
    execFileSync('munged', [...munge, `--log-file=${at('munged.log')}`, `--seed-file=${at('seed')}`, '--force']);
    const options = { env: { ...process.env, ...this.environment } };
    execFileSync('slurmctld', ['-f', at('slurm.conf')], options);
    for (const node of this.#nodes) execFileSync('slurmd', ['-N', node, '-f', at('slurm.conf')], options);
  }

  async #untilIdle(...nodes: readonly string[]): Promise<void> {
    const asked = nodes.length === 0 ? this.#nodes : nodes;
    for (let look = 0; look < 300; look++) {
      const { stdout } = spawnSync('sinfo', ['--noheader', '--format=%t %D', `--nodes=${asked.join(',')}`], {
        env: { ...process.env, ...this.environment },
        encoding: 'utf8',
      });
      if (stdout.trim() === `idle ${asked.length}`) return;
      await pause(200);
    }
    throw new Error('the nodes of the cluster did not come up');
  }
}
