import { spawnSync } from 'node:child_process';
import { WorkloadError } from '../workload-error.ts';

/** A C compiler of this machine. */
export interface Compiler {
  readonly command: string;
  /** First line of what it says about itself: another compiler makes another program. */
  readonly version: string;
}

const usual = ['cc', 'gcc', 'clang'];

/**
 * The compiler that `CC` names, else the first of cc, gcc and clang that is there.
 *
 * @throws WorkloadError `NO_COMPILER`, which says what to install
 */
export function findCompiler(environment: Readonly<Record<string, string | undefined>> = process.env): Compiler {
  const named = environment['CC'];
  for (const command of named === undefined || named === '' ? usual : [named]) {
    const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8', env: environment });
    if (status === 0) return { command, version: stdout.split('\n', 1)[0] ?? '' };
  }
  const tried = named === undefined || named === '' ? 'neither cc nor gcc nor clang is there' : `CC is '${named}'`;
  throw new WorkloadError(
    'NO_COMPILER',
    `no C compiler: ${tried}.\nInstall one (Debian, Ubuntu: gcc and libc6-dev; Fedora: gcc; Alpine: gcc and musl-dev) ` +
      'or take the language js, which needs none.',
  );
}
