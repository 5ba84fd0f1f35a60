import type { Container, ContainerEngineName } from '@deadheat/model';

/** Limits of containers that execute programs of other people. */
export interface Confinement {
  /** Most memory of a container; what its experiment asks for counts where that is less. */
  readonly memoryBytes: number;
  /** Most processes and threads of a container at the same time. */
  readonly processes: number;
}

/**
 * Options of an engine that limit the rights of a container.
 *
 * @param facts.confinement `null` = the programs are those of the user who runs the experiment: only its settings count
 */
export function restrictions(
  container: Container,
  { engine, confinement }: { readonly engine: ContainerEngineName; readonly confinement: Confinement | null },
): readonly string[] {
  const { memoryBytes, network } = container;
  return [
    `--network=${network}`,
    ...(isWritable(container, confinement) ? [] : ['--read-only', '--tmpfs=/tmp:rw,exec,mode=1777']),
    ...(confinement === null
      ? memoryBytes === null
        ? []
        : [`--memory=${memoryBytes}b`]
      : [
          `--memory=${Math.min(memoryBytes ?? Infinity, confinement.memoryBytes)}b`,
          `--pids-limit=${confinement.processes}`,
          '--cap-drop=all',
          '--security-opt=no-new-privileges',
          // Its addresses may hold passwords; docker hands on those of its own configuration only.
          ...(engine === 'podman' ? ['--http-proxy=false'] : []),
        ]),
  ];
}

/** A file that is to be taken out of a container has to be written there first. */
function isWritable({ writable, results, output }: Container, confinement: Confinement | null): boolean {
  return writable ?? (confinement === null || results.length > 0 || output !== null);
}
