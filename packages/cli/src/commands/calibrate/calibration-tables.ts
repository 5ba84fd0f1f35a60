import { probabilityToSeeShift, type StudyTable } from '@deadheat/analysis';
import { chooseTimeUnit, formatTime } from '@deadheat/report';
import type { CalibratedProgram } from '../../calibration/read-calibration.ts';

/** What was learned of every benchmark, as a table; standard deviations are those of the logarithm of B / A. */
export function calibrationTables(programs: readonly CalibratedProgram[]): readonly StudyTable[] {
  const benchmarks = programs.flatMap((program) => program.benchmarks);
  const notes = benchmarks.flatMap(({ benchmark, warnings }) =>
    warnings.map(({ code, message }) => `${benchmark}: ${code}: ${message}`),
  );
  return [
    {
      title: 'What B / A varies by: standard deviations within segments, between segments of a run, between runs',
      source: "Antoch et al., OOPSLA'26, section 7 and appendix A.2",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'metric', unit: 'text' },
        { name: 'measurements', unit: 'share' },
        { name: 'segments', unit: 'share' },
        { name: 'runs', unit: 'share' },
        { name: 'shifts seen', unit: 'count' },
        { name: 'shifts an iteration', unit: 'share' },
        { name: 'an iteration', unit: 'text' },
        { name: 'start and warm-up', unit: 'text' },
      ],
      rows: programs.flatMap(({ costs: { runNs }, benchmarks: own }) =>
        own.map(({ benchmark, metric, model, costs, seen }) => [
          benchmark,
          metric === 'cpu' ? 'cpu' : 'wall',
          Math.sqrt(model.measurementVariance),
          Math.sqrt(model.segmentVariance),
          Math.sqrt(model.runVariance),
          seen.shifts,
          model.shiftRate,
          formatNs(costs.iterationNs),
          formatNs(runNs),
        ]),
      ),
      notes: [...new Set([...programs.flatMap(methodOf), ...benchmarks.map(sightOf), ...notes])],
    },
  ];
}

function formatNs(ns: number): string {
  return formatTime(ns / 1e9, chooseTimeUnit(ns / 1e9));
}

/** The method that pilot runs chose. */
function methodOf({ entry: { name, chosen } }: CalibratedProgram): readonly string[] {
  return chosen === null ? [] : [`${name} is measured by ${chosen.method}: ${chosen.reason}`];
}

/** Which shifts the long runs could have seen. */
function sightOf({ seen }: CalibratedProgram['benchmarks'][number]): string {
  const { longRuns: runs, longIterations: iterations } = seen;
  const rate = Math.min(0.5, Math.LN2 / iterations);
  const percent = (100 * probabilityToSeeShift(rate, { runs, iterations })).toFixed(0);
  return `${runs} long runs of ${iterations} iterations see a shift that comes every ${Math.round(1 / rate)} iterations with a probability of ${percent} %`;
}
