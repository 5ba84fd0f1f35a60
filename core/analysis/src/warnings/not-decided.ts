import { stopRuleOf, type ExperimentConfig, type Warning } from '@deadheat/model';
import { fewestAnytimeValues } from '@deadheat/stats';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';
import { isFutile, runsUntil, runsUntilDecided } from '../anytime/anytime-verdict.ts';

/** A margin that is worth proposing where there is none. */
const proposedMargin = 0.01;

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
function seconds(ns: number): string {
  return `${Math.ceil(ns / 1e9)}s`;
}

/**
 * NOT_DECIDED: an experiment that was to go on until its verdict is safe ended before, because of its limits, because they
 * would hardly have sufficed, or because it was interrupted. Says when it would be decided.
 */
export function notDecided(
  ratio: AnytimeRatio,
  facts: {
    readonly config: Pick<ExperimentConfig, 'margin' | 'maxTimeNs' | 'stop'>;
    readonly runs: number;
    readonly timeNsPerRun: number;
    /** Time spent on all of its trials, ns. */
    readonly spentNs: number;
  },
): Warning[] {
  const { config, runs, timeNsPerRun, spentNs } = facts;
  const { margin, maxTimeNs } = config;
  const { mostRuns: maxRuns } = stopRuleOf(config.stop);
  const long = (count: number): string => {
    const ns = count * timeNsPerRun;
    return `about ${count} runs (${maxTimeNs !== null && ns > maxTimeNs ? `--max-time ${seconds(ns)}` : seconds(ns)})`;
  };
  const limits = [
    ...(maxTimeNs === null ? [] : [{ flag: `--max-time ${seconds(maxTimeNs)}`, allows: (runs * maxTimeNs) / spentNs }]),
    ...(maxRuns === Infinity ? [] : [{ flag: `--max-runs ${maxRuns}`, allows: maxRuns }]),
  ].toSorted((one, other) => one.allows - other.allows);
  const [limit] = limits;
  const mostRuns = limit?.allows ?? Infinity;
  const isOver = runs >= mostRuns || isFutile(ratio, { margin, mostRuns });
  const fewest = fewestAnytimeValues(ratio.confidence);
  const tooFew = mostRuns < fewest ? `: at ${percent(ratio.confidence)} no verdict is safe before ${fewest} runs` : '';
  const within = isOver && limit !== undefined ? `, which cannot be decided within ${limit.flag}${tooFew}` : '';
  const question =
    margin === 0 ? 'whether B differs from A' : `whether B differs from A by more than ${percent(margin)}`;
  const needed = runsUntilDecided(ratio, margin);
  const outlook =
    needed === null
      ? 'At the ratio found so far no number of runs up to a million would decide it'
      : `If the ratio stayed at ${ratio.estimate.toFixed(4)}, ${long(Math.max(runs + 1, needed))} would decide it`;
  const settled = margin === 0 ? runsUntil(ratio, Math.log1p(proposedMargin) - Math.abs(ratio.log.mean)) : null;
  const proposal =
    settled === null ? 'raise the limits' : `--margin 1% would settle a dead heat after ${long(settled)}`;
  return [
    {
      code: 'NOT_DECIDED',
      message: `${runs} runs leave open ${question}${within}. ${outlook}; ${proposal}.`,
    },
  ];
}
