import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const programs = ['qsub', 'sge_qmaster', 'sge_execd', 'unshare', 'nsenter', 'ip'];
const library = '/usr/lib/gridengine';
const shared = '/usr/share/gridengine';

/** Why no cluster can be started here; `null` when one can. */
export const noGridEngine: string | null =
  process.getuid?.() !== 0
    ? 'it needs root'
    : (programs
        .map((name) => (works('command', '-v', name) ? null : `there is no ${name}`))
        .find((why) => why !== null) ??
      (works('unshare', '-n', '-u', '-m', '-p', '-f', '--mount-proc', 'true') ? null : 'no namespaces can be made'));

function works(...words: readonly string[]): boolean {
  return spawnSync('sh', ['-c', words.join(' ')]).status === 0;
}

/** A machine of its own as far as its processes, its network and its name go, but for its disk. It ends with its first process. */
class Machine {
  readonly pid: number;
  readonly #holder: ChildProcess;

  constructor(script: string, env: NodeJS.ProcessEnv) {
    const flags = ['--net', '--uts', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
    this.#holder = spawn('unshare', [...flags, 'bash', '-c', script], { env, stdio: 'ignore' });
    const { pid } = this.#holder;
    const children = `/proc/${pid}/task/${pid}/children`;
    for (let look = 0; ; look++) {
      const child = Number(readFileSync(children, 'utf8'));
      if (child > 0) {
        this.pid = child;
        return;
      }
      if (look === 1000) throw new Error('no namespace was made');
      spawnSync('sleep', ['0.01']);
    }
  }

  end(): void {
    this.#holder.kill('SIGKILL');
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** A cluster of Grid Engine: a master and nodes, each in namespaces of its own, joined by a network of theirs. */
export class GridEngineCluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'deadheat-gridengine-'));
  readonly #nodes: readonly string[];
  readonly #machines = new Map<string, Machine>();
  #master: Machine | null = null;

  private constructor(nodes: readonly string[]) {
    this.#nodes = nodes;
  }

  /** Starts it; its nodes are called n1, n2, … */
  static async start(nodes = 3): Promise<GridEngineCluster> {
    const cluster = new GridEngineCluster(Array.from({ length: nodes }, (_, index) => `n${index + 1}`));
    try {
      await cluster.#startMaster();
      for (const node of cluster.#nodes) cluster.#startNode(node);
      await cluster.#untilUp();
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  /** For what calls Grid Engine's programs, which speak from the master's machine. */
  get environment(): Readonly<Record<string, string>> {
    const path = `${join(this.#folder, 'programs')}:${process.env['PATH'] ?? ''}`;
    return {
      PATH: path,
      SGE_ROOT: this.#folder,
      SGE_CELL: 'default',
      SGE_QMASTER_PORT: '6444',
      SGE_EXECD_PORT: '6445',
    };
  }

  stop(): void {
    for (const machine of [...this.#machines.values(), this.#master]) machine?.end();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** A node loses its power: all that it executes ends at once, and nobody is notified. */
  lose(node: string): void {
    this.#machines.get(node)?.end();
  }

  /** Starts a lost node again, and waits until it takes tasks. */
  async returns(node: string): Promise<void> {
    this.#startNode(node);
    await this.#untilUp();
  }

  /** What a program of Grid Engine writes. */
  ask(program: string, ...words: readonly string[]): string {
    return execFileSync(program, words, { env: this.#env, encoding: 'utf8', stdio: 'pipe' });
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, ...this.environment };
  }

  async #startMaster(): Promise<void> {
    const at = (...names: readonly string[]): string => join(this.#folder, ...names);
    for (const name of ['default/common', 'default/spool/qmaster/job_scripts', 'execd', 'programs']) {
      mkdirSync(at(name), { recursive: true });
    }
    execFileSync('chmod', ['755', this.#folder]);
    symlinkSync(join(shared, 'util'), at('util'));
    for (const name of ['bin', 'lib', 'utilbin'])
      cpSync(join('/var/lib/gridengine', name), at(name), { recursive: true });
    const spool = `${at('default/common')};${at('default/spool/qmaster')}`;
    writeFileSync(
      at('default/common/bootstrap'),
      `admin_user none
default_domain none
ignore_fqdn true
spooling_method classic
spooling_lib libspoolc
spooling_params ${spool}
binary_path /usr/sbin
qmaster_spool_dir ${at('default/spool/qmaster')}
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
`,
    );
    writeFileSync(at('default/common/act_qmaster'), 'master\n');
    const names = this.#nodes.map((node, index) => `10.9.0.${index + 2} ${node}\n`);
    writeFileSync(at('hosts'), `127.0.0.1 localhost\n10.9.0.1 master\n${names.join('')}`);
    const changes = {
      execd_spool_dir: at('execd'),
      min_uid: '0',
      min_gid: '0',
      // A node that is silent for 10 s is lost, and 5 s later its tasks are started elsewhere.
      max_unheard: '00:00:10',
      reschedule_unknown: '00:00:05',
      load_report_time: '00:00:02',
      reporting_params: 'accounting=true reporting=false flush_time=00:00:01 joblog=false sharelog=00:00:00',
    };
    writeFileSync(at('configuration'), changed(readFileSync(join(shared, 'default-configuration'), 'utf8'), changes));
    const made = [
      `${library}/spoolinit classic libspoolc '${spool}' init`,
      `${library}/spooldefaults configuration ${at('configuration')}`,
      `${library}/spooldefaults complexes ${shared}/util/resources/centry`,
      `${library}/spooldefaults usersets ${shared}/util/resources/usersets`,
      `${library}/spooldefaults managers root`,
    ];
    const network = ['ip link add br0 type bridge', 'ip addr add 10.9.0.1/24 dev br0', 'ip link set br0 up'];
    this.#master = new Machine(
      this.#script('master', [...network, ...made, 'sge_qmaster', 'exec sleep infinity']),
      this.#env,
    );
    for (const name of ['qsub', 'qstat', 'qdel', 'qacct', 'qconf', 'qmod', 'qhost']) {
      const enter = `nsenter --target ${this.#master.pid} --net --uts --mount --wd="$PWD"`;
      writeFileSync(at('programs', name), `#!/bin/sh\nexec ${enter} /usr/bin/${name} "$@"\n`, { mode: 0o755 });
    }
    for (let look = 0; spawnSync('qconf', ['-as', 'master'], { env: this.#env }).status !== 0; look++) {
      if (look === 100) throw new Error('the master of the cluster did not come up');
      await pause(200);
    }
    for (const node of this.#nodes) this.ask('qconf', '-ah', node);
    const nodes = this.#nodes.join(' ');
    const limits = ['rt', 'cpu', 'fsize', 'data', 'stack', 'core', 'rss', 'vmem'];
    const queue = {
      qname: 'all.q',
      hostlist: nodes,
      load_thresholds: 'NONE',
      rerun: 'TRUE',
      slots: '1',
      ...queueDefaults,
    };
    const lines = [
      ...Object.entries(queue),
      ...limits.flatMap((name) => [
        [`s_${name}`, 'INFINITY'],
        [`h_${name}`, 'INFINITY'],
      ]),
    ];
    writeFileSync(at('queue'), lines.map(([name, value]) => `${name} ${value}\n`).join(''));
    this.ask('qconf', '-Aq', at('queue'));
    const quick = { schedule_interval: '0:0:1', flush_submit_sec: '1', flush_finish_sec: '1', load_formula: 'slots' };
    writeFileSync(at('scheduling'), changed(this.ask('qconf', '-ssconf'), quick));
    this.ask('qconf', '-Msconf', at('scheduling'));
  }

  #startNode(node: string): void {
    const number = this.#nodes.indexOf(node) + 2;
    const network = [
      'until ip link show eth0; do sleep 0.05; done',
      `ip addr add 10.9.0.${number}/24 dev eth0`,
      'ip link set eth0 up',
    ];
    const machine = new Machine(this.#script(node, [...network, 'SGE_ND=1 exec sge_execd']), this.#env);
    this.#machines.set(node, machine);
    const inside = ['--target', String(this.#master?.pid), '--net', 'ip', 'link'];
    const veth = ['add', `v${number}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(machine.pid)];
    execFileSync('nsenter', [...inside, ...veth]);
    execFileSync('nsenter', [...inside, 'set', `v${number}`, 'master', 'br0', 'up']);
  }

  #script(name: string, lines: readonly string[]): string {
    const hosts = `mount --bind ${join(this.#folder, 'hosts')} /etc/hosts`;
    return [hosts, `hostname ${name}`, 'ip link set lo up', ...lines].join('\n');
  }

  async #untilUp(): Promise<void> {
    for (let look = 0; look < 300; look++) {
      const up = this.ask('qstat', '-f').match(/^all\.q@\S+\s+\S+\s+\S+\s+[\d.]+\s+\S+\s*$/gm) ?? [];
      if (up.length === this.#nodes.length) return;
      await pause(200);
    }
    throw new Error('the nodes of the cluster did not come up');
  }
}

const queueDefaults = Object.fromEntries(
  `seq_no 0,suspend_thresholds NONE,nsuspend 1,suspend_interval 00:05:00,priority 0,min_cpu_interval 00:05:00,processors UNDEFINED
qtype BATCH,ckpt_list NONE,pe_list NONE,tmpdir /tmp,shell /bin/sh,prolog NONE,epilog NONE,shell_start_mode posix_compliant
starter_method NONE,suspend_method NONE,resume_method NONE,terminate_method NONE,notify 00:00:60,owner_list NONE,user_lists NONE
xuser_lists NONE,subordinate_list NONE,complex_values NONE,projects NONE,xprojects NONE,calendar NONE,initial_state default`
    .split(/[,\n]/)
    .map((line) => line.split(' ')),
) as Readonly<Record<string, string>>;

/** A configuration of lines of name and value, with other values. */
function changed(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (all, [name, value]) => all.replace(new RegExp(`^${name}\\s.*$`, 'm'), `${name} ${value}`),
    text,
  );
}
