import type { Command } from 'commander';
import { intervalKindSchema, metricSchema } from '@deadheat/model';
import { parseChoice, parseConfidence, parseShare } from 'deadheat/settings';

/** What help says about options that are left out. */
export interface JudgingDefaults {
  readonly confidence: string;
  readonly margin: string;
  readonly interval: string;
}

/** Adds the options that decide how measurements become a verdict; the defaults are only for the help. */
export function addJudgingOptions(command: Command, defaults: JudgingDefaults): void {
  command
    .option(
      '--confidence <LEVEL>',
      `level of the interval: 0.99 or 99% (default: ${defaults.confidence})`,
      parseConfidence('--confidence'),
    )
    .option(
      '--margin <SHARE>',
      `differences up to this do not matter: 1% or 0.01 (default: ${defaults.margin})`,
      parseShare('--margin', { zero: 'allowed', example: '1%' }),
    )
    .option(
      '--metric <METRIC>',
      'what decides: time (wall), cpu (user + system), undelayed (wall without waiting for a CPU), or auto, which takes cpu where both ' +
        'sides keep one core busy, and undelayed where they wait for other things',
      parseChoice('--metric', ['auto', ...metricSchema.options]),
    )
    .option(
      '--interval <KIND>',
      `rank (of a typical run), or of the mean: expanded, percentile, bca or t (default: ${defaults.interval})`,
      parseChoice('--interval', intervalKindSchema.options),
    );
}
