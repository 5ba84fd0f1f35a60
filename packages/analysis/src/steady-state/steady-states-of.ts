import type { Comparison, SteadyState } from '@deadheat/model';
import { sides } from '@deadheat/model';
import { labelOf } from '../study/study-group.ts';
import { steadyStateOf } from './steady-state-table.ts';

/** The classes of every comparison and side whose runs have the window, by what `analyse --segments` found; none where it was not asked for. */
export const steadyStatesOf = (comparisons: readonly Comparison[]): SteadyState[] =>
  comparisons.flatMap(({ benchmark, params, segments }) =>
    segments === undefined
      ? []
      : sides.flatMap((side) => {
          const runs = segments.sides[side].runs.flatMap(({ class: found, steadyFromIteration, repetitions }) =>
            found === null ? [] : [{ class: found, steadyFrom: steadyFromIteration, repetitions }],
          );
          const name = `${labelOf({ name: benchmark, params })} ${side}`;
          return runs.length === 0 ? [] : [steadyStateOf({ name, runs })];
        }),
  );
