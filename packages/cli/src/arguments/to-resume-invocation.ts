import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ResumeInvocation } from './invocation.ts';
import { flagOf } from './flag-of.ts';
import { readOutputChoices } from './output-options.ts';
import type { RawCompareOptions, RawOutputOptions } from './raw-options.ts';

const allowed: ReadonlySet<string> = new Set<keyof RawOutputOptions | 'resume'>([
  'resume',
  'exportJson',
  'exportCsv',
  'exportMarkdown',
  'style',
  'failOn',
  'strict',
]);

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
  const other = Object.keys(options).find((key) => !allowed.has(key));
  if (other !== undefined) {
    throw new UsageError(
      'CONFLICT',
      `--resume finishes an experiment as it was planned; ${flagOf(other)} cannot change it`,
      {
        hint: 'With --resume only --export-json, --export-csv, --export-markdown, --style, --fail-on and --strict can be given.',
      },
    );
  }
  return { kind: 'resume', recording, ...readOutputChoices(options) };
}
