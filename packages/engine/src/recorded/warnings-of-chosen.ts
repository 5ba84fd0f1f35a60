import { methodFacts, type Experiment, type Warning } from '@deadheat/model';
import { machineWarnings } from '../host/index.ts';

/** What about this machine disturbs the duets that pilot runs chose: before them it was not known that there would be any. */
export function warningsOfChosen({ config, machine, hosts, parts, warnings }: Experiment): readonly Warning[] {
  const isElsewhere = hosts !== undefined && parts === undefined;
  const hasDuet = config.benchmarks.some(
    ({ chosen }) => chosen !== null && methodFacts[chosen.method].cpus === 'one-each',
  );
  if (isElsewhere || !hasDuet) return [];
  const known = new Set(warnings.map(({ code }) => code));
  return machineWarnings(machine, { cpus: config.cpus, hasDuet }).filter(({ code }) => !known.has(code));
}
