import type { ExperimentDraft } from '@deadheat/engine';
import {
  type Benchmark,
  type ContainerEngineName,
  containerEngineSchema,
  correctionSchema,
  type FamilyCorrection,
  matchesStars,
  type Method,
  methodSchema,
  nearestWord,
  type ResourceMetric,
  resourceMetricSchema,
} from '@deadheat/model';
import { z } from 'zod';
import { withControls } from '../draft/with-controls.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { SettingsLayer } from '../settings/settings-table.ts';

/** Changes that the command line makes to a configured experiment. */
export interface Narrowing {
  /** Names of benchmarks, `*` standing for any text; empty = all. */
  readonly filter: readonly string[];
  /** Empty = those of the file; in place of `auto` there any that it might choose. */
  readonly methods: readonly Method[];
  /** `null` = as the file says. */
  readonly seed: string | null;
  readonly maxTimeNs: number | null;
  readonly engine: ContainerEngineName | null;
  readonly showOutput: boolean;
  /** Also A against itself. */
  readonly control: boolean;
  /** `null` = as the file says. */
  readonly correction: FamilyCorrection | null;
  /** Also where the file does not say so. */
  readonly strict: boolean;
  /** Settings of every benchmark and method, which override those of the file. */
  readonly settings: SettingsLayer;
  /** Resources that are measured beside those of the file. */
  readonly also: readonly ResourceMetric[];
}

/** Nothing is changed. */
export const noNarrowing: Narrowing = {
  filter: [],
  methods: [],
  seed: null,
  maxTimeNs: null,
  engine: null,
  showOutput: false,
  control: false,
  correction: null,
  strict: false,
  settings: {},
  also: [],
};

const narrowingSchema = z.object({
  filter: z.array(z.string()),
  methods: z.array(methodSchema),
  seed: z.string().nullable(),
  maxTimeNs: z.int().positive().nullable(),
  engine: containerEngineSchema.nullable(),
  showOutput: z.boolean(),
  control: z.boolean(),
  correction: correctionSchema.nullable(),
  strict: z.boolean().default(false),
  settings: z.record(z.string(), z.unknown()).default({}),
  also: z.array(resourceMetricSchema).default([]),
});

/** Changes of the command line in the form that a fleet carries. @throws ZodError for anything else */
export function readNarrowing(value: unknown): Narrowing {
  return narrowingSchema.parse(value);
}

/**
 * The part of an experiment that the options ask for.
 *
 * @param narrowing what it leaves out changes nothing
 * @throws UsageError for a filter or method that nothing in the file answers to
 */
export function narrowDraft(draft: ExperimentDraft, changes: Partial<Narrowing>): ExperimentDraft {
  const narrowing = { ...noNarrowing, ...changes };
  const { filter, methods, seed, maxTimeNs, engine, correction } = narrowing;
  if (engine !== null && draft.benchmarks.every(({ containers }) => containers === null)) {
    throw new UsageError('BAD_VALUE', `--engine ${engine}: nothing in the file is executed in a container`, {
      hint: 'Add image: to the file, or leave --engine out.',
    });
  }
  const named = byName(draft.benchmarks, filter);
  const methodsOf = ({ own }: Benchmark): readonly Method[] =>
    (own.pilotRuns ?? draft.pilotRuns) > 0 ? pilotMethods : [own.method ?? draft.method];
  const offered = new Set(named.flatMap(methodsOf));
  const absent = methods.find((method) => !offered.has(method));
  if (absent !== undefined) {
    throw new UsageError('BAD_VALUE', `--method ${absent}: nothing is measured by it`, {
      hint: `Methods of these benchmarks: ${[...offered].join(', ')}. Add ${absent} to methods in the file.`,
    });
  }
  const kept = named.flatMap((benchmark): readonly Benchmark[] => {
    const wanted = methodsOf(benchmark).filter((method) => methods.includes(method));
    return methods.length === 0 ? [benchmark] : wanted.map((method) => byMethod(benchmark, method));
  });
  const narrowed: ExperimentDraft = {
    ...draft,
    ...withAlso(draft, narrowing.also),
    benchmarks: kept.map((benchmark) => ({
      ...benchmark,
      own: {
        ...benchmark.own,
        ...(maxTimeNs === null ? {} : { maxTimeNs }),
        ...(benchmark.own.also === undefined ? {} : withAlso(benchmark.own, narrowing.also)),
      },
    })),
    ...(maxTimeNs === null ? {} : { maxTimeNs }),
    seed: seed ?? draft.seed,
    engine: engine ?? draft.engine,
    showOutput: draft.showOutput || narrowing.showOutput,
    correction: correction ?? draft.correction,
    strict: draft.strict || narrowing.strict,
  };
  const hasControl = draft.benchmarks.some(({ controlOf }) => controlOf !== null);
  return narrowing.control && !hasControl ? withControls(narrowed) : narrowed;
}

/** The resources of a layer of settings with further ones; nothing where there are none. */
function withAlso(
  { also = [] }: Pick<ExperimentDraft, 'also'>,
  further: readonly ResourceMetric[],
): Pick<ExperimentDraft, 'also'> {
  return further.length === 0 ? {} : { also: [...new Set([...also, ...further])] };
}

/** Methods that the pilot runs of `auto` choose from. */
const pilotMethods: readonly Method[] = ['tandem', 'sync-duet', 'sequential'];

/** A benchmark without pilot runs. */
function byMethod(benchmark: Benchmark, method: Method): Benchmark {
  return { ...benchmark, own: { ...benchmark.own, method, pilotRuns: 0 } };
}

function byName(benchmarks: readonly Benchmark[], filter: readonly string[]): Benchmark[] {
  if (filter.length === 0) return [...benchmarks];
  const nameOf = ({ name, controlOf }: Benchmark): string => controlOf ?? name;
  const names = [...new Set(benchmarks.map(nameOf))];
  for (const pattern of filter) {
    if (names.some((name) => matchesStars(pattern, name))) continue;
    const nearest = nearestWord(pattern, names);
    throw new UsageError('BAD_VALUE', `--filter ${pattern}: no benchmark has such a name`, {
      hint: nearest === null ? `Benchmarks of the file: ${names.join(', ')}.` : `Did you mean ${nearest}?`,
    });
  }
  return benchmarks.filter((one) => filter.some((pattern) => matchesStars(pattern, nameOf(one))));
}
