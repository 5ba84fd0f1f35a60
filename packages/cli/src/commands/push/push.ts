import { findRecording } from '@deadheat/engine';
import { openHistory } from '@deadheat/history';
import type { Experiment } from '@deadheat/model';
import { countOf, printable } from '@deadheat/report';
import type { TypedCommits } from '../../arguments/values/parse-commits.ts';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { finishRecording } from './finish-recording.ts';
import { readCommits } from './read-commits.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface PushRequest {
  /** Folders of recordings; a folder of recordings stands for its newest. */
  readonly paths: readonly string[];
  /** A folder or a URL. */
  readonly to: string;
  readonly commits: TypedCommits;
  /** `null` = the name of the experiment. */
  readonly project: string | null;
}

/** `deadheat push`. An interruption ends the process: what was not stored whole then is not stored. Returns the exit code. */
export async function push({ paths, to, commits: typed, project }: PushRequest, terminal: Terminal): Promise<ExitCode> {
  const commits = await readCommits(typed, process.cwd());
  const history = await openHistory(to, { forWriting: true, variables: terminal.env });
  try {
    for (const path of paths) {
      const { directory, experiment, trials } = await findRecording(path);
      refusePart(path, experiment);
      await finishRecording(directory);
      const outcome = await history.put({ directory, commits, project });
      const what = `${printable(experiment.config.name)} (${experiment.id})`;
      const runs = countOf(trials.filter(({ phase, status }) => phase === 'measure' && status === 'ok').length, 'run');
      terminal.stdout.write(
        outcome === 'added'
          ? `pushed ${what}, ${runs}, to ${history.place}\n`
          : `${what} is in ${history.place} already; nothing was changed\n`,
      );
    }
    return exitCodes.done;
  } finally {
    await history.close();
  }
}

/** A history holds an experiment once: a part would keep the whole out. */
function refusePart(path: string, { parts }: Experiment): void {
  if (parts === undefined || parts.taken.length === parts.count) return;
  throw new UsageError('CONFLICT', `${path} holds ${parts.taken.length} of ${parts.count} parts of an experiment`, {
    hint: 'Bring all of them together with deadheat merge, and push what comes out.',
  });
}
