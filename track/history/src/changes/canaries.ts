import { groupBy } from '../points.ts';
import { canaryProject, type HistoryPoint, type SeriesName } from '../history.ts';
import type { LevelChange, SeriesLevels } from './levels.ts';
import { seriesLevels, usualLeastChange } from './series-levels.ts';

/** One canary: a workload on one host over the months. */
export interface Canary extends SeriesLevels {
  readonly name: SeriesName;
  /** The machine, as the parameter `host` names it. */
  readonly host: string;
  /** In the order in which they were measured; index k of `values` and `levels` is point k. */
  readonly points: readonly HistoryPoint[];
  /** Points in which the workload differed from itself. */
  readonly differing: readonly HistoryPoint[];
}

/** The finding of a canary about its host. */
export interface CanaryAlarm {
  /**
   * `differs` = the workload differed from itself by more than the margin, so that comparisons of this host are not to be trusted; `level`
   * = its time changed, so that the host became faster or slower.
   */
  readonly kind: 'differs' | 'level';
  readonly host: string;
  readonly name: SeriesName;
  /** Stays the same as long as a change of level begins with the same comparison. */
  readonly id: string;
  /** Comparison that differs, or the first of the new level. */
  readonly point: HistoryPoint;
  /** Ids of the experiments around it: an alarm of the same series and kind that was reported of one of them before is the same. */
  readonly near: readonly string[];
  /** B / A, or new / old level, with the interval at `confidence`. */
  readonly ratio: Pick<LevelChange, 'ratio' | 'low' | 'high' | 'confidence'>;
}

/** Distance, in comparisons, within which a change that is found again after further comparisons counts as the same. */
const nearness = 3;

/** Checks whether a series is that of a canary. */
export function isCanary({ project }: Pick<SeriesName, 'project'>): boolean {
  return project === canaryProject;
}

/**
 * The canaries of a history, by host and workload.
 *
 * @param points what a history holds of the project `canaryProject`; points of other projects are left out
 * @param leastChange smallest change of level, as a share
 */
export function canariesOf(
  points: readonly HistoryPoint[],
  { leastChange = usualLeastChange }: { readonly leastChange?: number } = {},
): readonly Canary[] {
  const bySeries = groupBy(points.filter(isCanary), (point) =>
    JSON.stringify([hostOf(point), point.benchmark, point.method]),
  );
  return [...bySeries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, found]) => {
      const own = found.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
      const [first] = own;
      if (first === undefined) return [];
      const { project, benchmark, params, method } = first;
      return [
        {
          name: { project, benchmark, params, method },
          host: hostOf(first),
          points: own,
          differing: own.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster'),
          ...seriesLevels(own, { quantity: 'time', leastChange }),
        },
      ];
    });
}

/**
 * Which canaries fired: every comparison in which a workload differed from itself, and every change of the level of its time.
 *
 * A change of level is found after about six comparisons of the new level, and further ones may move where it begins; who tells of
 * alarms remembers their series, kind and `point.experiment`, and reports no alarm whose `near` holds one of these.
 *
 * @param points as for {@link canariesOf}
 * @param since only alarms whose comparison began at this time or later (ISO 8601); `null` = all
 * @returns the newest first
 */
export function firedCanaries(points: readonly HistoryPoint[], since: string | null = null): readonly CanaryAlarm[] {
  const from = since === null ? -Infinity : Date.parse(since);
  return canariesOf(points)
    .flatMap(alarmsOf)
    .filter(({ point }) => Date.parse(point.startedAt) >= from)
    .toSorted((a, b) => Date.parse(b.point.startedAt) - Date.parse(a.point.startedAt) || (a.id < b.id ? -1 : 1));
}

function alarmsOf({ name, host, points, differing, changes }: Canary): readonly CanaryAlarm[] {
  const id = (kind: string, point: HistoryPoint): string =>
    `${kind} ${JSON.stringify([host, name.benchmark, name.method])} ${point.experiment}`;
  return [
    ...differing.map((point): CanaryAlarm => {
      const { estimate, low, high, confidence } = point.ratio;
      const ratio = { ratio: estimate, low, high, confidence };
      return { kind: 'differs', host, name, id: id('differs', point), point, near: [point.experiment], ratio };
    }),
    ...changes.flatMap(({ at, ratio, low, high, confidence }): readonly CanaryAlarm[] => {
      const point = points[at];
      if (point === undefined) return [];
      const near = points.slice(Math.max(0, at - nearness), at + nearness + 1).map(({ experiment }) => experiment);
      return [
        { kind: 'level', host, name, id: id('level', point), point, near, ratio: { ratio, low, high, confidence } },
      ];
    }),
  ];
}

/** The machine of a canary: the parameter `host`, else the one that the recording names. */
function hostOf({ params, hostname }: HistoryPoint): string {
  return params['host'] ?? hostname ?? '?';
}
