import { cleanUpContainers, Versions } from '@deadheat/engine';
import { repairRecording } from '@deadheat/recording';
import { type ContainerEngineName, containerEngineSchema, quoteWord, recordingFiles } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import type { Command } from 'commander';
import { parseChoice } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawCleanupOptions {
  readonly engine?: ContainerEngineName;
  readonly dryRun?: boolean;
  readonly versions?: boolean;
  readonly repair?: string;
}

/** `deadheat cleanup`: containers and worktrees that a crash left behind, versions that are kept, and damaged recordings. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return create('cleanup')
    .description(
      'Removes the containers and git worktrees of experiments whose process no longer exists. Those of running experiments, and those that other programs made, are kept. With --repair it repairs a recording instead.',
    )
    .usage('[options]')
    .option(
      '--engine <ENGINE>',
      'remove only containers of podman, or only of docker (default: of both)',
      parseChoice('--engine', containerEngineSchema.options),
    )
    .option('--versions', 'also remove the built commits and installed packages that are kept for later comparisons')
    .option(
      '--repair <RECORDING>',
      'repair the journal of a recording, and do nothing else: keep its whole lines and leave the damaged out; the file as it was stays beside it (trials.jsonl.damaged)',
    )
    .option('--dry-run', 'list what would be removed, and remove nothing')
    .action(({ engine, dryRun = false, versions = false, repair }: RawCleanupOptions) => {
      if (repair !== undefined) choose((terminal) => runRepair(repair, { write: !dryRun, terminal }));
      else choose((terminal) => runCleanup({ engine: engine ?? null, remove: !dryRun, versions }, terminal));
    });
}

interface CleanupRequest extends Readonly<Parameters<typeof cleanUpContainers>[0]> {
  /** Whether versions that are kept for the next time go too. */
  readonly versions: boolean;
}

/** `deadheat cleanup`. Returns the exit code. */
async function runCleanup(request: CleanupRequest, terminal: Terminal): Promise<ExitCode> {
  const removed = request.remove ? 'removed' : 'abandoned';
  const folders = await new Versions().sweep({ everything: request.versions, dryRun: !request.remove });
  for (const folder of folders) terminal.stdout.write(`version ${folder}  ${removed}\n`);
  const found = await findContainers(request);
  if (found.length === 0) terminal.stdout.write('There are no containers of experiments.\n');
  for (const { engine, name, experiment, inUse } of found) {
    const what = inUse ? `in use by the experiment ${experiment}` : removed;
    terminal.stdout.write(`${engine} ${name}  ${what}\n`);
  }
  return exitCodes.done;
}

/** `deadheat cleanup --repair`. Returns the exit code. */
async function runRepair(
  directory: string,
  { write, terminal: { stdout } }: { readonly write: boolean; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { kept, dropped, moved, backup } = await repairRecording(directory, { write });
  for (const { line, why } of dropped) {
    stdout.write(`${recordingFiles.trials}:${line} ${write ? 'left out' : 'damaged'}: ${why}\n`);
  }
  stdout.write(`${countOf(kept, 'line')} whole, ${dropped.length} damaged${moved ? ', put in order again' : ''}.\n`);
  if (backup !== null) {
    stdout.write(
      `The file as it was is ${printable(backup)}. Make the missing runs with: deadheat --resume ${printable(quoteWord(directory))}\n`,
    );
  }
  return exitCodes.done;
}

/** Without an engine there are no containers either, unless one is asked for. */
async function findContainers(request: CleanupRequest): ReturnType<typeof cleanUpContainers> {
  try {
    return await cleanUpContainers(request);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENGINE_MISSING';
    if (!isMissing || request.engine !== null) throw error;
    return [];
  }
}
