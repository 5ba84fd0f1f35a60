import type { Method } from '@deadheat/model';
import type { StudyGroup } from './study-group.ts';

const list = (groups: readonly StudyGroup[]): string => groups.map(({ label }) => label).join(', ');

/** Fewest runs of a method that carry an interval. */
export const FEWEST_RUNS = 2;

/** Whether a group has enough runs of a method. */
export const hasRuns = ({ methods }: StudyGroup, method: Method): boolean =>
  (methods.get(method)?.selection.runs.length ?? 0) >= FEWEST_RUNS;

/** Says which benchmarks lack runs of a method, and what to run. */
export const missingRuns = (groups: readonly StudyGroup[], method: Method): string[] => {
  const without = groups.filter((group) => !hasRuns(group, method));
  if (without.length === 0) return [];
  return [
    `fewer than ${FEWEST_RUNS} usable runs of ${method}: ${list(without)}; measure the same commands under the same name ` +
      `with --method ${method} and name that recording as well`,
  ];
};

/** Says which benchmarks compare two programs where the question is about one and the same. */
export const notItself = (groups: readonly StudyGroup[]): string[] => {
  const different = groups.filter(({ isSelf }) => !isSelf);
  if (different.length === 0) return [];
  return [
    `the sides differ: ${list(different)}; the figures are meant for A/A runs, so measure one program on both sides ` +
      '(give the tool one command)',
  ];
};
