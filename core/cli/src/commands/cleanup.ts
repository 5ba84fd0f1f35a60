import { cleanUpContainers } from '@deadheat/engine';
import { sweepLedgers } from '@deadheat/sync';
import { Versions } from '@deadheat/versions';
import { repairRecording } from '@deadheat/recording';
import { type ContainerEngineName, containerEngineSchema, quoteWord, recordingFiles } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import { type Command, defineCommand } from '../command/define-command.ts';
import { choice, flag, option, text } from '../command/option.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `deadheat cleanup`: processes, files, containers and worktrees that a crash left behind, versions that are kept, and damaged recordings. */
export const cleanup: Command = defineCommand({
  description:
    'Removes the processes, files, containers and git worktrees of experiments whose process no longer exists. Those of running experiments, and those that other programs made, are kept. With --repair it repairs a recording instead.',
  options: {
    engine: option('--engine <ENGINE>', {
      help: 'remove only containers of podman, or only of docker',
      parse: choice(containerEngineSchema.options),
      fallback: 'of both',
    }),
    versions: flag('--versions', {
      help: 'also remove the built commits and installed packages that are kept for later comparisons',
    }),
    repair: option('--repair <RECORDING>', {
      help: 'repair the journal of a recording, and do nothing else: keep its whole lines and leave the damaged out; the file as it was stays beside it (trials.jsonl.damaged)',
      parse: text('the folder of a recording'),
      only: ['dryRun'],
      why: 'repairs a recording and does nothing else',
    }),
    dryRun: flag('--dry-run', { help: 'list what would be removed, and remove nothing' }),
  },
  act: async ({ engine, versions, repair, dryRun }, _args, terminal) =>
    repair === null
      ? removeAbandoned({ engine, versions, remove: !dryRun }, terminal)
      : repairJournal(repair, { write: !dryRun, terminal }),
});

interface Removal {
  /** `null` = containers of every engine. */
  readonly engine: ContainerEngineName | null;
  /** True if the versions that are kept for later comparisons are removed too. */
  readonly versions: boolean;
  /** False if files are only listed. */
  readonly remove: boolean;
}

async function removeAbandoned({ engine, versions, remove }: Removal, terminal: Terminal): Promise<ExitCode> {
  const removed = remove ? 'removed' : 'abandoned';
  for (const left of sweepLedgers({ dryRun: !remove })) terminal.stdout.write(`${printable(left)}  ${removed}\n`);
  const folders = await new Versions().sweep({ everything: versions, dryRun: !remove });
  for (const folder of folders) terminal.stdout.write(`version ${folder}  ${removed}\n`);
  const found = await cleanUpContainers({ engine, remove }).catch((error: unknown) => {
    // Without an engine there are no containers either, unless one is asked for.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENGINE_MISSING';
    if (!isMissing || engine !== null) throw error;
    return [];
  });
  if (found.length === 0) terminal.stdout.write('There are no containers of experiments.\n');
  for (const container of found) {
    const state = container.inUse ? `in use by the experiment ${container.experiment}` : removed;
    terminal.stdout.write(`${container.engine} ${container.name}  ${state}\n`);
  }
  return exitCodes.done;
}

async function repairJournal(
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
