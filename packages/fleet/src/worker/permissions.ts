import type { Benchmark } from '@deadheat/model';
import type { Code } from '../code.ts';
import { FleetError } from '../fleet-error.ts';

/** Programs that a worker may execute for others; none unless its options allow them. */
export interface Permissions {
  /** URLs of repositories, or beginnings of them that end in a slash. */
  readonly repositories: readonly string[];
  /** Names of images, or beginnings of them that end in a slash; with `@sha256:` that very image. */
  readonly images: readonly string[];
  /** Whether plain commands are allowed. */
  readonly commands: boolean;
}

const transports = /^(?:https|ssh|git):\/\/[^\s]+$|^[\w.-]+@[\w.-]+:[^\s]+$|^\/[^\s]*$|^file:\/\/\/[^\s]*$/;

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
      const isPlain = transports.test(repository) && !repository.split(/[/:]/).includes('..');
      if (!isPlain || !repositories.some((allowed) => fits(repository, allowed))) {
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
 * Refuses programs that a worker may not execute: images that are not on its list, and, unless they were read from an
 * allowed commit, everything that is executed outside of containers.
 *
 * @throws FleetError `NOT_ALLOWED_HERE`
 */
export function checkPrograms(
  benchmarks: readonly Benchmark[],
  { code, permissions }: { readonly code: Code; readonly permissions: Permissions },
): void {
  for (const benchmark of benchmarks) {
    const { containers, name } = benchmark;
    if (containers !== null) {
      for (const { image } of [containers.A, containers.B]) {
        if (permissions.commands || permissions.images.some((allowed) => fits(image, allowed))) continue;
        refuse(`the image ${image} of ${name}`, `start the worker with --allow-image ${image}`);
      }
    }
    if (code.kind === 'images' && !permissions.commands) checkContained(benchmark);
  }
}

/** Refuses settings of an experiment with images that would execute programs outside containers. */
function checkContained({ name, containers, hooks, parser, input }: Benchmark): void {
  if (containers === null) refuse(`${name}, which runs outside of containers,`, 'submit it as a commit');
  const hook = [...Object.values(hooks.A), ...Object.values(hooks.B)].find((command) => command !== null);
  if (hook !== undefined)
    refuse(`the hook '${hook}' of ${name}, which runs outside of its container,`, 'submit it as a commit');
  if (parser?.kind === 'module') refuse(`the parser ${parser.path} of ${name}`, 'submit it as a commit');
  if (input !== null) refuse(`the input file ${input} of ${name}`, 'submit it as a commit');
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
