import type { Command } from 'commander';
import { containerEngineSchema, type ContainerEngineName } from '@deadheat/model';
import { parseChoice } from 'deadheat/settings';
import { runCleanup } from './cleanup.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawCleanupOptions {
  readonly engine?: ContainerEngineName;
  readonly dryRun?: boolean;
  readonly versions?: boolean;
}

/** `deadheat cleanup`: containers and worktrees that a crash left behind, and versions that are kept. */
export const cleanup: Subcommand = ({ create, choose }): Command =>
  create('cleanup')
    .summary('remove containers and worktrees that a crash left behind')
    .description(
      'Removes containers and worktrees of git of experiments whose process is gone. Those of experiments that ' +
        'still run, and of anything else, are left alone.',
    )
    .usage('[options]')
    .option(
      '--engine <ENGINE>',
      'look at podman or docker only (default: at both)',
      parseChoice('--engine', containerEngineSchema.options),
    )
    .option('--versions', 'also remove commits and packages that are kept for the next time')
    .option('--dry-run', 'tell what would be removed; remove nothing')
    .action(({ engine, dryRun = false, versions = false }: RawCleanupOptions) => {
      choose((terminal) => runCleanup({ engine: engine ?? null, remove: !dryRun, versions }, terminal));
    });
