import { type Parameter, UsageError } from 'deadheat/settings';
import type { CompareValues } from '../command/compare-options.ts';
import type { Decimal } from '../command/decimal.ts';
import { expandScan } from '../command/parameter-scan.ts';

/** Most combinations of parameters in one experiment: at five seconds each, fourteen hours. */
const mostBenchmarks = 10_000;

const one: Decimal = { units: 1n, places: 0 };

/** Scans first, then lists, each in the order typed. One step size is for every scan, several are one a scan. */
export function readParameters({
  parameterScan: scans,
  parameterStepSize: steps,
  parameterList: lists,
}: Pick<CompareValues, 'parameterScan' | 'parameterStepSize' | 'parameterList'>): readonly Parameter[] {
  if (steps.length > 1 && steps.length !== scans.length) {
    const message = `--parameter-step-size is given ${steps.length} times for ${scans.length} of --parameter-scan`;
    throw new UsageError('CONFLICT', message, {
      hint: 'Give it once for all scans, or once for each, in their order.',
    });
  }
  const scanned = scans.map((scan, index) =>
    expandScan(scan, { step: steps[index] ?? steps[0] ?? one, most: mostBenchmarks }),
  );
  const parameters = [...scanned, ...lists];
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError('CONFLICT', `the parameter ${twice} is given twice`);
  if (parameters.reduce((product, { values }) => product * values.length, 1) > mostBenchmarks) {
    throw new UsageError('BAD_VALUE', `the parameters have more than ${mostBenchmarks} combinations`, {
      hint: 'Take larger steps (--parameter-step-size) or fewer values.',
    });
  }
  return parameters;
}
