import { totalmem } from 'node:os';
import type { GuestRules } from '@deadheat/engine';
import type { Benchmark, Container } from '@deadheat/model';
import type { Code } from '../code.ts';
import { FleetError } from '../fleet-error.ts';
import { isAllowedRepository, isRepositoryAddress } from './repository-place.ts';

/** Programs that a worker may execute for others; none unless its options allow them. */
export interface Permissions {
  /** Addresses of repositories, or beginnings of them that end in a slash. */
  readonly repositories: readonly string[];
  /** Names of images, or beginnings of them that end in a slash; with `@sha256:` that very image. */
  readonly images: readonly string[];
  /** Networks of the engine that containers may be in beside `none`; absent = no other. */
  readonly networks?: readonly string[];
  /** Variables that programs inherit beside the usual ones; absent = no others. */
  readonly variables?: readonly string[];
  /** True when plain commands are allowed. */
  readonly commands: boolean;
}

/**
 * Refuses code that a worker may not execute, before any of it is fetched.
 *
 * @throws FleetError `NOT_ALLOWED_HERE`
 */
export function checkCode(code: Code, { repositories, commands }: Permissions): void {
  switch (code.kind) {
    case 'here':
      if (!commands) {
        refuse(
          'commands as they are',
          'start the worker with --allow-commands, which lets every submitter execute anything',
        );
      }
      return;
    case 'images':
      return;
    case 'commit': {
      const { repository, setup } = code;
      if (!isRepositoryAddress(repository)) {
        refuse(
          `the repository ${repository}, whose address is none of https, ssh or git, none of a folder, or has two meanings`,
          'give the repository an address without %, backslashes, blanks and the names . and ..',
        );
      }
      if (!repositories.some((allowed) => isAllowedRepository(repository, allowed))) {
        refuse(`the repository ${repository}`, `start the worker with --allow-repository ${repository}`);
      }
      if (setup !== null && !commands) {
        refuse(
          `the setup command '${setup}', which is not in the commit`,
          'put it into the file as build:, or start the worker with --allow-commands',
        );
      }
    }
  }
}

/**
 * Refuses programs that a worker may not execute: images and networks that are not on its lists, and, unless they were read from an
 * allowed commit, everything that is executed or read outside of containers.
 *
 * @returns the benchmarks without what tells of the submitter's machine
 * @throws FleetError `NOT_ALLOWED_HERE`
 */
export function checkPrograms(
  benchmarks: readonly Benchmark[],
  { code, permissions }: { readonly code: Code; readonly permissions: Permissions },
): readonly Benchmark[] {
  // Whoever may execute anything may also start a container.
  if (permissions.commands) return benchmarks;
  return benchmarks.map((benchmark) => {
    const { containers, name } = benchmark;
    for (const container of containers === null ? [] : [containers.A, containers.B]) {
      checkContainer(container, { name, permissions });
    }
    return code.kind === 'images' ? contained(benchmark) : benchmark;
  });
}

/** A name as engines read it; nothing that they take for an option or another place than a registry. */
const imageName = /^[a-z0-9][\w.-]*(?::\d+\/|\/)?[\w./-]*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i;

function checkContainer(
  { image, network }: Container,
  { name, permissions }: { readonly name: string; readonly permissions: Permissions },
): void {
  const isName =
    image.length <= 500 && imageName.test(image) && !image.split('/').some((part) => part === '..' || part === '.');
  if (!isName || !permissions.images.some((allowed) => fits(image, allowed))) {
    refuse(`the image ${image} of ${name}`, `start the worker with --allow-image ${image}`);
  }
  if (network !== 'none' && permissions.networks?.includes(network) !== true) {
    refuse(
      `containers in the network ${network}, as ${name} asks for`,
      `start the worker with --allow-network ${network}`,
    );
  }
}

/** Says what is wrong with a value; `null` = nothing. */
type Check<Value> = (value: Value) => string | null;

type Checks<Whole> = { readonly [Key in keyof Whole]-?: Check<Whole[Key]> };

/** For data, and for what is only used inside containers. */
function anything(): null {
  return null;
}

const asCommit = 'submit it as a commit';

/**
 * The fields that a queue may set of a benchmark whose programs run in containers. A field that is missing here does not compile: what is added
 * to a benchmark is allowed by nobody's oversight.
 */
const containedChecks: Checks<Benchmark> = {
  name: anything,
  params: anything,
  commands: anything,
  workload: anything,
  lines: anything,
  own: anything,
  chosen: anything,
  controlOf: anything,
  waiver: anything,
  layouts: (layouts) =>
    layouts === undefined ? null : `builds in folders of this machine, ${layouts.A[0]?.root ?? ''}`,
  // The folder of hooks and of programs outside of containers, of which there are none; see `contained`.
  workingDirectory: anything,
  containers: (containers) => {
    if (containers === null) return 'programs outside of containers';
    return describe(containers.A, containerChecks) ?? describe(containers.B, containerChecks);
  },
  hooks: ({ A, B }) => {
    const hook = [...Object.values(A), ...Object.values(B)].find((command) => command !== null);
    return hook === undefined ? null : `the hook '${hook}', which runs outside of its container`;
  },
  parser: (parser) => (parser?.kind === 'module' ? `the parser ${parser.path}` : null),
  results: ({ A, B }) => (A === null && B === null ? null : `results ${A ?? B} of this machine`),
  scratch: ({ A, B }) => (A === null && B === null ? null : `a copy of the folder ${A ?? B}`),
  input: (input) => (input === null ? null : `the input file ${input}`),
  environment: ({ A, B }) => {
    const wrong = Object.keys({ ...A, ...B }).find((name) => !/^[A-Za-z_]\w*$/.test(name));
    return wrong === undefined ? null : `the variable '${wrong}'`;
  },
};

const containerChecks: Checks<Container> = {
  // By the lists of the worker, before.
  image: anything,
  network: anything,
  cpus: anything,
  memoryBytes: anything,
  writable: anything,
  workingDirectory: (path) => (path === null || path.startsWith('/') ? null : `the folder ${path}`),
  results: (paths) => (paths.every((path) => path !== '') ? null : 'a file without a name'),
  output: (path) => (path === '' ? 'a file without a name' : null),
};

/** The first thing that is not allowed; `null` = all of it is. */
function describe<Whole extends object>(whole: Whole, checks: Checks<Whole>): string | null {
  for (const [key, check] of Object.entries(checks) as [keyof Whole, Check<unknown>][]) {
    const wrong = check(whole[key]);
    if (wrong !== null) return wrong;
  }
  return null;
}

function contained(benchmark: Benchmark): Benchmark {
  const wrong = describe(benchmark, containedChecks);
  if (wrong !== null) refuse(`${benchmark.name} with ${wrong},`, asCommit);
  return { ...benchmark, workingDirectory: { A: null, B: null } };
}

function fits(name: string, allowed: string): boolean {
  return allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed;
}

function refuse(what: string, advice: string): never {
  throw new FleetError(
    'NOT_ALLOWED_HERE',
    `this worker does not execute ${what}; nothing was executed. To allow it ${advice}`,
  );
}

/** Variables without which many programs do not work, and which tell nothing that is secret. */
const harmless = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|DEADHEAT_\w+)$/;

/** Names of variables that hold passwords, tokens or keys, or lead to them. */
const secret = /^PG|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/** Checks whether a variable has a name under which it is given to nobody's programs, also where the owner of the worker names it. */
export function isSecretVariable(name: string): boolean {
  return secret.test(name);
}

/**
 * The part of a worker's environment that programs which others submit inherit.
 *
 * @param allowed names of variables that the owner of the worker lets them have beside the usual ones
 */
export function guestEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): NodeJS.ProcessEnv {
  const names = Object.keys(variables).filter((name) => harmless.test(name) || allowed.includes(name));
  return Object.fromEntries(names.filter((name) => !isSecretVariable(name)).map((name) => [name, variables[name]]));
}

/** Both sides run at the same time, and the machine needs a little for itself. */
const memoryShare = 0.4;
/** Java with a pool of threads for each of many cores stays far below it. */
const usualProcesses = 4096;

/** Limits of a worker's containers where its owner sets none. */
export function confinementOf(own: Partial<GuestRules['confinement']>): GuestRules['confinement'] {
  const available = process.constrainedMemory() > 0 ? Math.min(totalmem(), process.constrainedMemory()) : totalmem();
  return { memoryBytes: Math.floor(available * memoryShare), processes: usualProcesses, ...own };
}
