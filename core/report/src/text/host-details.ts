import type { Comparison, HostEffects } from '@deadheat/model';
import {
  countOf,
  formatChosenShare,
  formatInterval,
  formatRatio,
  formatShare,
  chooseTimeUnit,
  formatTime,
} from './numbers.ts';
import { printable } from './printable.ts';

/** A named fact below a verdict. */
export interface Detail {
  readonly label: string;
  readonly text: string;
}

/** Largest number of machines in the text; the page and the JSON result have all of them. */
const mostHosts = 16;

/** How much the machines differ, and for which machines the interval holds; empty for one machine. */
export function hostsDetails({ hosts, confirmation }: Comparison): readonly Detail[] {
  return [
    ...(hosts === undefined ? [] : [{ label: 'hosts', text: spreadText(hosts) }]),
    ...(confirmation === undefined ? [] : [{ label: 'confirmed', text: confirmationText(confirmation) }]),
  ];
}

/** The ratio and the times on each machine. */
export function eachHostDetails({ hosts }: Comparison): readonly Detail[] {
  if (hosts === undefined) return [];
  const shown = hosts.each.slice(0, mostHosts);
  const left = hosts.each.length - shown.length;
  return [
    ...hostRows({ each: shown }).map(({ host, ratio, interval, runs, A }) => ({
      label: 'host',
      text: `${host}: ${ratio} ${interval}, ${countOf(runs, 'run')}, A ${A}`,
    })),
    ...(left === 0 ? [] : [{ label: 'host', text: `and ${countOf(left, 'more host')}` }]),
  ];
}

/** A machine of a comparison as texts. */
export interface HostRow {
  readonly host: string;
  readonly runs: number;
  readonly ratio: string;
  readonly interval: string;
  /** Mean times. */
  readonly A: string;
  readonly B: string;
}

/** Every machine with its ratio and times, in one unit. */
export function hostRows({ each }: Pick<HostEffects, 'each'>): readonly HostRow[] {
  const unit = chooseTimeUnit(Math.max(...each.map(({ meanNs }) => Math.max(meanNs.A, meanNs.B))) / 1e9);
  return each.map(({ id, runs, ratio, meanNs }) => {
    const { estimate, low, high } = formatInterval(ratio);
    return {
      host: printable(id),
      runs,
      ratio: estimate,
      interval: ratio.low > 0 ? `[${low} … ${high}]` : '(too few runs for an interval)',
      A: formatTime(meanNs.A / 1e9, unit),
      B: formatTime(meanNs.B / 1e9, unit),
    };
  });
}

function spreadText({ each, between, within, timesBetween, pooledOver }: HostEffects): string {
  const scatter = within === null ? '' : `, between runs of one by ${formatShare(within)}`;
  const holds =
    pooledOver === 'hosts' ? 'the interval is over hosts' : 'the interval is over runs, for these machines only';
  return (
    `${countOf(each.length, 'host')}; B / A differs between them by ${formatShare(between)} (SD)${scatter}; the time of A ` +
    `differs between them by ${formatShare(timesBetween)}; ${holds}`
  );
}

function confirmationText({ hosts, runs, ratio, verdict }: NonNullable<Comparison['confirmation']>): string {
  const where = `${countOf(hosts.length, 'other host')}, ${countOf(runs, 'run')}`;
  if (ratio === null || verdict === null) return `not: ${where}, too few for a comparison`;
  return `${verdict === 'slower' ? 'yes' : 'not'}: ${formatRatio(ratio)}, ${formatChosenShare(ratio.confidence)} CI, ${where}`;
}
