import {
  enoughRuns,
  enoughTimeNs,
  leastRuns,
  paperSettings,
  stableDefaults,
  stableRuns,
  type Settings,
  type StableRule,
  type StopRule,
  type WarmupRule,
} from '@deadheat/model';
import type { SettingsLayer, TimeoutsLayer } from './deadheat-file.ts';
import type { Path, Problems } from './problem.ts';
import { settingsDefaults } from './settings-defaults.ts';
import { whyUnfit, type Subject } from './why-unfit.ts';

/** Settings said in one place of the file. */
export interface PlacedLayer {
  readonly layer: SettingsLayer;
  readonly path: Path;
}

const stopKeys = ['runs', 'min-runs', 'max-runs', 'precision', 'until'] as const;

/** Makes whole settings of layers, and tells of what is said but has no effect anywhere, or contradicts itself. */
export class SettingsResolver {
  readonly #problems: Problems;
  /** Whether a setting of the file had an effect on some benchmark; `null` or why not. */
  readonly #effects = new Map<string, { readonly path: Path; why: string | null }>();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Settings of a subject from the outermost layer to the innermost; what an inner one says counts. */
  resolve(layers: readonly PlacedLayer[], subject: Subject): Settings {
    const said = new Map<keyof SettingsLayer, { readonly value: unknown; readonly path: Path }>();
    for (const { layer, path } of layers) {
      this.#checkStop(layer, path);
      if (layer.runs !== undefined) for (const key of stopKeys) said.delete(key);
      else if (stopKeys.some((key) => layer[key] !== undefined)) said.delete('runs');
      if (layer.precision !== undefined) said.delete('until');
      if (layer.until !== undefined) said.delete('precision');
      for (const [key, value] of Object.entries(layer) as [keyof SettingsLayer, SettingsLayer[keyof SettingsLayer]][]) {
        if (value === undefined || key === 'timeouts') continue;
        const why = whyUnfit(key, value, subject);
        this.#remember([...path, key], why);
        if (why === null) said.set(key, { value, path: [...path, key] });
      }
    }
    const get = <Key extends keyof SettingsLayer>(key: Key): SettingsLayer[Key] =>
      said.get(key)?.value as SettingsLayer[Key];
    const usual = settingsDefaults(subject.method, subject.workload);
    const like = get('like') ?? 'none';
    const defaults = like === 'none' ? usual : { ...usual, ...paperSettings(like, usual.method) };
    const timeouts = mergeTimeouts(layers);
    const { runs, 'max-runs': maxRuns } = { runs: get('runs'), 'max-runs': get('max-runs') };
    const path = said.get('min-runs')?.path ?? said.get('max-runs')?.path ?? [];
    const stable = toStableRule(get('stable'));
    const stop = this.#stopRule(get, { path, isStable: stable !== null });
    const isBounded = stop.kind === 'runs' || stop.kind === 'stable';
    const settings: Settings = {
      method: defaults.method,
      pilotRuns: defaults.pilotRuns,
      unpaired: get('unpaired') ?? defaults.unpaired,
      confidence: get('confidence') ?? defaults.confidence,
      margin: get('margin') ?? defaults.margin,
      interval: get('interval') ?? defaults.interval,
      replicates: get('replicates') ?? defaults.replicates,
      metric: get('metric') ?? defaults.metric,
      swap: get('swap') ?? defaults.swap,
      stop,
      maxTimeNs: orNull(get('max-time'), isBounded ? null : defaults.maxTimeNs),
      leastRuns: Math.min(
        defaults.leastRuns,
        runs ?? (stop.kind === 'stable' ? stop.minRuns : maxRuns) ?? defaults.leastRuns,
      ),
      warmupRuns: get('warmup-runs') ?? defaults.warmupRuns,
      warmup: toWarmupRule(get('warmup')) ?? defaults.warmup,
      iterations: toIterations(get('iterations'), defaults.iterations),
      stable,
      minimumOverlapRate: get('minimum-overlap-rate') ?? defaults.minimumOverlapRate,
      tradeEvery: toNumber(get('trade-every')) ?? defaults.tradeEvery,
      fill: get('fill') ?? defaults.fill,
      timeoutNs: orNull(timeouts.iteration, defaults.timeoutNs),
      runTimeoutNs: orNull(timeouts.run, defaults.runTimeoutNs),
      ignoreFailure: get('ignore-failure') ?? defaults.ignoreFailure,
      plannedHalfWidth: get('planned-width') ?? defaults.plannedHalfWidth,
    };
    const { warmup, iterations } = settings;
    if (stable !== null) {
      for (const key of ['iterations', 'warmup'] as const) {
        const path = said.get(key)?.path;
        if (path === undefined) continue;
        this.#problems.add(path, `${key} and stable contradict each other: stable ends warm-up and the run`, {
          at: 'key',
          hint: 'Leave one of them out, or say stable: never where a number counts.',
        });
      }
      if (stable.leastWarmup > stable.mostWarmup) {
        const { leastWarmup: least, mostWarmup: most } = stable;
        this.#problems.add(said.get('stable')?.path ?? [], `min-warmup ${least} is more than max-warmup ${most}`);
      }
    } else if (warmup.kind === 'fixed' && iterations !== null && warmup.iterations >= iterations) {
      const path = said.get('warmup')?.path ?? said.get('iterations')?.path ?? [];
      this.#problems.add(path, `warmup ${warmup.iterations} of ${iterations} iterations leaves none to judge`, {
        hint: 'Ask for more iterations, or for less warm-up.',
      });
    }
    return settings;
  }

  /** Tells of settings that no benchmark obeyed; to be called after all. */
  tellOfNoEffect(): void {
    for (const { path, why } of this.#effects.values()) {
      if (why === null) continue;
      this.#problems.add(path, `${path.at(-1)} has no effect: ${why}`, { at: 'key', hint: 'Leave it out.' });
    }
  }

  #remember(path: Path, why: string | null): void {
    const key = JSON.stringify(path);
    const known = this.#effects.get(key);
    if (known === undefined) this.#effects.set(key, { path, why });
    else if (why === null) known.why = null;
  }

  #checkStop(layer: SettingsLayer, path: Path): void {
    if (layer.precision !== undefined && layer.until !== undefined) {
      this.#problems.add(
        [...path, 'until'],
        'until and precision contradict each other: each says when there are enough',
        {
          at: 'key',
          hint: 'Leave one of them out.',
        },
      );
    }
    if (layer.runs === undefined) return;
    for (const key of stopKeys.filter((other) => other !== 'runs' && layer[other] !== undefined)) {
      this.#problems.add([...path, key], `${key} and runs contradict each other: runs fixes the number of runs`, {
        at: 'key',
        hint: 'Leave one of them out.',
      });
    }
  }

  #stopRule(
    get: <Key extends (typeof stopKeys)[number]>(key: Key) => SettingsLayer[Key],
    { path, isStable }: { readonly path: Path; readonly isStable: boolean },
  ): StopRule {
    const [runs, maxRuns, precision] = [get('runs'), get('max-runs') ?? null, get('precision')];
    if (runs !== undefined) return { kind: 'runs', runs };
    const fewest = get('until') === 'decided' ? leastRuns : enoughRuns;
    const minRuns = get('min-runs') ?? Math.min(fewest, maxRuns ?? fewest);
    if (maxRuns !== null && minRuns > maxRuns) {
      this.#problems.add(path, `min-runs ${minRuns} is more than max-runs ${maxRuns}`);
    }
    if (precision !== undefined) return { kind: 'precision', precision, minRuns, maxRuns };
    if (get('until') === 'decided') return { kind: 'decided', minRuns, maxRuns };
    if (isStable) return stableStop(get('min-runs'), maxRuns);
    return { kind: 'enough', minRuns, maxRuns, minTimeNs: enoughTimeNs };
  }
}

function mergeTimeouts(layers: readonly PlacedLayer[]): TimeoutsLayer {
  const given = layers.map(({ layer }) => layer.timeouts ?? {});
  return {
    iteration: given.findLast(({ iteration }) => iteration !== undefined)?.iteration,
    run: given.findLast(({ run }) => run !== undefined)?.run,
  };
}

/** A limit: `none` is no limit, absent is `otherwise`. */
export function orNull(value: number | 'none' | undefined, otherwise: number | null): number | null {
  return value === undefined ? otherwise : value === 'none' ? null : value;
}

function toNumber(value: number | 'never' | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

function toIterations(value: number | 'program' | undefined, otherwise: number | null): number | null {
  return value === undefined ? otherwise : value === 'program' ? null : value;
}

function toWarmupRule(value: SettingsLayer['warmup']): WarmupRule | null {
  if (value === undefined) return null;
  return typeof value === 'number' ? { kind: 'fixed', iterations: value } : { kind: value };
}

function toStableRule(value: SettingsLayer['stable']): StableRule | null {
  if (value === undefined || value === 'never') return null;
  return {
    criteria: [...value.criteria],
    combine: value.combine ?? stableDefaults.combine,
    like: value.like ?? stableDefaults.like,
    thresholds: {
      cv: value.thresholds?.cv ?? stableDefaults.thresholds.cv,
      rciw: value.thresholds?.rciw ?? stableDefaults.thresholds.rciw,
      kld: value.thresholds?.kld ?? stableDefaults.thresholds.kld,
    },
    leastWarmup: value['min-warmup'] ?? stableDefaults.leastWarmup,
    mostWarmup: value['max-warmup'] ?? stableDefaults.mostWarmup,
    measured: value.measured ?? stableDefaults.measured,
    liftCaps: value['lift-caps'] ?? stableDefaults.liftCaps,
  };
}

/** The rule that asks the criteria of `stable` over runs too; a fewest above the default most raises that. */
export function stableStop(minRuns: number | undefined, maxRuns: number | null): StopRule {
  const most = maxRuns ?? Math.max(stableRuns.most, minRuns ?? 0);
  return { kind: 'stable', minRuns: minRuns ?? Math.min(stableRuns.least, most), maxRuns: most };
}
