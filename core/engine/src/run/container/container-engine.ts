import {
  DeadheatError,
  type ContainerEngineName,
  type Side,
  sides,
  type Benchmark,
  type ContainerFacts,
} from '@deadheat/model';
import { runProgram, type ProgramResult } from '../../run-program.ts';

export type ContainerErrorCode =
  /** There is no such program here, or its service does not answer. */
  | 'ENGINE_MISSING'
  /** It is here and a call of it failed. */
  | 'ENGINE_FAILED'
  | 'IMAGE_MISSING';

/** Why containers cannot be run here; the message ends with what to do. */
export class ContainerError extends DeadheatError<ContainerErrorCode> {
  override readonly name = 'ContainerError';
  /** Whose container it is about; `null` = both, or neither. */
  readonly side: Side | null;

  constructor(
    code: ContainerErrorCode,
    message: string,
    { side = null, ...options }: ErrorOptions & { readonly side?: Side | null } = {},
  ) {
    super(code, message, options);
    this.side = side;
  }
}

/** Podman or docker, by its command line. */
export class ContainerEngine {
  readonly name: ContainerEngineName;
  readonly version: string;

  constructor(name: ContainerEngineName, version: string) {
    this.name = name;
    this.version = version;
  }

  /** Calls the engine and waits for its end. */
  async call(args: readonly string[]): Promise<ProgramResult> {
    const reply = await runProgram([this.name, ...args]);
    if (reply.status === 'not-found')
      throw new ContainerError('ENGINE_MISSING', `${this.name} was here and is gone; install it again.`);
    return reply;
  }

  /**
   * The output of a call that is to succeed.
   *
   * @throws ContainerError `ENGINE_FAILED` with the message of the engine
   */
  async demand(args: readonly string[]): Promise<string> {
    const reply = await this.call(args);
    if (reply.status === 0) return reply.stdout;
    throw new ContainerError('ENGINE_FAILED', explainEngineFailure(this.name, { args, stderr: reply.stderr }));
  }

  /** Arguments that end and remove containers at once; those that are not there are passed over. */
  removal(containers: readonly string[]): readonly string[] {
    // Podman waits ten seconds for a program that ignores SIGTERM; docker's --force never does.
    const atOnce = this.name === 'podman' ? ['--time', '0', '--ignore'] : [];
    return ['rm', '--force', ...atOnce, '--volumes', ...containers];
  }
}

/**
 * Finds a container engine: the one that is asked for, or podman, or docker.
 *
 * @throws ContainerError `ENGINE_MISSING` when there is none that answers
 */
export async function findContainerEngine(wanted: ContainerEngineName | null): Promise<ContainerEngine> {
  const failures: string[] = [];
  for (const name of wanted === null ? (['podman', 'docker'] as const) : [wanted]) {
    const reply = await runProgram([name, 'version', '--format', versionFormat[name]]);
    if (reply.status === 'not-found') continue;
    const version = reply.stdout.trim();
    if (reply.status === 0 && version !== '') return new ContainerEngine(name, version);
    failures.push(explainEngineFailure(name, { args: ['version'], stderr: reply.stderr }));
  }
  if (failures.length > 0) throw new ContainerError('ENGINE_MISSING', failures.join('\n'));
  throw new ContainerError(
    'ENGINE_MISSING',
    wanted === null
      ? 'there is neither podman nor docker here, and the programs are to run in containers. Install one of them.'
      : `there is no ${wanted} here. Install it, or choose the other one.`,
  );
}

/** The template for the version of the server, because docker's client alone runs nothing. */
const versionFormat: Readonly<Record<ContainerEngineName, string>> = {
  podman: '{{.Client.Version}}',
  docker: '{{.Server.Version}}',
};

const quotedLines = 4;
/** Docker closes with a reference to its own help. */
const isAdvice = /^(?:Run|See) 'docker .*help'/;

/** Remedies for the refusals of an engine, by their messages. */
const remedies: readonly { readonly says: RegExp; readonly remedy: string }[] = [
  {
    says: /crun: .*hybrid mode not supported/,
    remedy:
      'crun does not know the control groups of this machine; install runc and write runtime = "runc" under [engine] in ' +
      'containers.conf (or in the file that CONTAINERS_CONF names).',
  },
  {
    says: /setrlimit .*Operation not permitted/,
    remedy:
      'This machine lets nobody raise limits, which podman does by default; write lower ones under [containers] in ' +
      'containers.conf: default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"].',
  },
  {
    says: /Cannot connect to the Docker daemon|permission denied.*docker\.sock|docker daemon running/is,
    remedy: 'Start the docker service, or be a member of the group docker.',
  },
  {
    says: /cpuset|controller .* not available/i,
    remedy:
      'A container is bound to its core by the control group cpuset; where podman runs without root, systemd has to ' +
      'delegate it (Delegate=cpu cpuset memory pids for user@.service), or run as root.',
  },
  {
    says: /\/bin\/sh.*(?:no such file|not found)/i,
    remedy: 'The image needs /bin/sh: a shell keeps the container ready until its program is started.',
  },
  {
    says: /unable to find network|network \S+ not found/i,
    remedy: 'Make that network (network create), or say network: none, which is the default.',
  },
  {
    says: /no space left on device|ENOSPC/i,
    remedy: "The disk of the engine's storage is full; make room (podman system df).",
  },
];

/** One sentence about a call that failed, the message of the engine, and the remedy where it is known. */
export function explainEngineFailure(
  engine: ContainerEngineName,
  { args, stderr }: { readonly args: readonly string[]; readonly stderr: string },
): string {
  const said = stderr
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '' && !isAdvice.test(line))
    .slice(-quotedLines);
  const remedy = remedies.find(({ says }) => says.test(stderr))?.remedy ?? `Try it by hand: ${engine} info.`;
  const quoted = said.join('') === '' ? '' : `\n${said.map((line) => `  ${engine}: ${line.slice(0, 500)}`).join('\n')}`;
  return `${engine} ${args[0] ?? ''} failed.${quoted}\n${remedy}`;
}

interface InspectedImage {
  readonly Id?: string;
  readonly Digest?: string;
  readonly RepoDigests?: readonly string[] | null;
}

/**
 * Identities of every image that benchmarks name. Images are not fetched: the local ones are measured.
 *
 * @throws ContainerError `IMAGE_MISSING` for the first that is not there, with the side
 */
export async function inspectImages(
  engine: ContainerEngine,
  benchmarks: readonly Pick<Benchmark, 'name' | 'containers'>[],
): Promise<ContainerFacts['images']> {
  const images: Record<string, ContainerFacts['images'][string]> = {};
  for (const { name, containers } of benchmarks) {
    for (const side of sides) {
      const image = containers?.[side].image;
      if (image !== undefined) images[image] ??= await inspectImage(engine, { image, side, benchmark: name });
    }
  }
  return images;
}

async function inspectImage(
  engine: ContainerEngine,
  { image, side, benchmark }: { readonly image: string; readonly side: Side; readonly benchmark: string },
): Promise<ContainerFacts['images'][string]> {
  const { status, stdout, stderr } = await engine.call(['image', 'inspect', image]);
  if (status !== 0) {
    const said = stderr.trim().split('\n').at(-1) ?? '';
    throw new ContainerError(
      'IMAGE_MISSING',
      `${side} of ${benchmark} cannot be started: there is no image ${image} here (${engine.name}: ${said}).\n` +
        `Build it, or fetch it: ${engine.name} pull ${image}`,
      { side },
    );
  }
  const [found] = JSON.parse(stdout) as readonly InspectedImage[];
  const id = found?.Id ?? '';
  const named = found?.RepoDigests?.[0]?.split('@')[1];
  return { id: id.startsWith('sha256:') ? id : `sha256:${id}`, digest: found?.Digest ?? named ?? null };
}
