import { createExcerpt, UsageError } from 'deadheat/settings';
import { changedByResume } from './changed-by-resume.ts';
import type { ResumeInvocation } from './invocation.ts';
import { readOutputChoices } from './output-options.ts';
import type { RawCompareOptions } from './raw-options.ts';

/** `--resume RECORDING`: the plan is in the recording, so commands and options that would change it are refused. */
export function toResumeInvocation(
  recording: string,
  { commands, options }: { readonly commands: readonly string[]; readonly options: RawCompareOptions },
): ResumeInvocation {
  const [command] = commands;
  if (command !== undefined) {
    throw new UsageError('CONFLICT', '--resume takes no commands: they are in the recording', {
      excerpt: createExcerpt(['deadheat', '--resume', recording, ...commands], { at: 3 }),
    });
  }
  const other = changedByResume(options);
  if (other !== null) {
    throw new UsageError('CONFLICT', `--resume finishes an experiment as it was planned; ${other} cannot change it`, {
      hint: 'With --resume only --export, --style, --fail-on and --strict can be given.',
    });
  }
  return { kind: 'resume', recording, ...readOutputChoices(options) };
}
