import {
  isResourceMetric,
  metricKinds,
  workloadFacts,
  askedStopRule,
  defaultSettings,
  methodOfPaper,
  paperSettings,
  presets,
  replacedByStopSettings,
  stopRuleOf,
  type AskedMethod,
  type Settings,
  type Workload,
} from '@deadheat/model';
import type { SettingOption, Subject, Unfit } from './option.ts';
import { typedRoot, type Path, type Problems } from './problem.ts';
import { conflicts, settingsTable, type SettingKey, type SettingsLayer, type StableLayer } from './settings-table.ts';

/** Settings said in one place: on a level of a file, by the flags of a command, by an object of the library. */
export interface PlacedLayer {
  readonly layer: SettingsLayer;
  readonly path: Path;
}

/** Names of options in messages, by their paths: in a file their keys, of what was typed flags. */
export interface Wording {
  readonly name: (path: Path) => string;
  /** The sentence about an option that does nothing, and what to do. */
  readonly noEffect: (path: Path, unfit: Unfit) => { readonly message: string; readonly hint: string };
}

/**
 * The method where none is named: that of the paper to be followed. Some settings have a meaning only with a core for each side; a program that only prints
 * cannot wait at a barrier.
 */
export function impliedMethod(workload: Workload, layers: readonly SettingsLayer[]): AskedMethod {
  const like = layers.findLast((layer) => layer.like !== undefined)?.like ?? 'none';
  if (like !== 'none') return methodOfPaper(like);
  const { method } = workloadFacts[workload];
  return method !== 'auto' || meansDuet(workload, layers) === null ? method : 'sync-duet';
}

/** The setting that means `sync-duet` where no method is named; `null` = there is none. */
export function meansDuet(workload: Workload, layers: readonly SettingsLayer[]): SettingKey | null {
  const said = (key: SettingKey, means: (layer: SettingsLayer) => boolean): SettingKey | null =>
    layers.some(means) ? key : null;
  return (
    said('swap', (layer) => layer.swap !== undefined) ??
    said('trade-every', (layer) => typeof layer['trade-every'] === 'number') ??
    said('fill', (layer) => layer.fill === true && workloadFacts[workload].protocol) ??
    said('metric', (layer) => layer.metric === 'time') ??
    said('stable', ({ stable }) => asksForInvocations(stable))
  );
}

/** Stop criteria of invocations, which only a `sync-duet` records. On the command line they may be missing, which is reported elsewhere. */
function asksForInvocations(stable: SettingsLayer['stable']): boolean {
  const { criteria }: Partial<StableLayer> = typeof stable === 'object' ? stable : {};
  return criteria?.includes('kld') === true;
}

type Said = ReadonlyMap<SettingKey, { readonly value: unknown; readonly path: Path }>;

/** Resolves layers to complete settings, and reports settings that have no effect anywhere, or contradict each other. */
export class SettingsResolver {
  readonly #problems: Problems;
  readonly #wording: Wording;
  /** For each setting of a layer: `null` if it had an effect on some benchmark, else the reason. */
  readonly #effects = new Map<
    string,
    { readonly path: Path; why: { readonly message: string; readonly hint: string } | null }
  >();

  constructor(problems: Problems, wording: Wording) {
    this.#problems = problems;
    this.#wording = wording;
  }

  /** Settings of a subject from the outermost layer to the innermost; what an inner one says counts. */
  resolve(layers: readonly PlacedLayer[], subject: Subject): Settings {
    const said = this.#gather(layers, subject);
    const get = <Key extends SettingKey>(key: Key): SettingsLayer[Key] => said.get(key)?.value as SettingsLayer[Key];
    const usual = defaultSettings(subject.method, subject.workload);
    const like = get('like') ?? 'none';
    const defaults = like === 'none' ? usual : { ...usual, ...paperSettings(like, usual.method) };
    const stop = askedStopRule(layerOf(said));
    const { endsByItself, minRuns, mostRuns, fixedRuns } = stopRuleOf(stop);
    if (fixedRuns === null) this.#checkLimits(said, get);
    const maxTime = get('max-time') ?? (endsByItself ? 'none' : undefined);
    const own = [...said].map(([key, { value }]) => entryOf(key).sets?.(value) ?? {});
    const isFixed = (['iterations', 'length', 'warmup-iterations', 'stable'] as const).some(
      (key) => get(key) !== undefined,
    );
    const settings: Settings = {
      ...defaults,
      ...(workloadFacts[subject.workload].protocol && !isFixed && fixedRuns === null ? { fitIterations: true } : {}),
      ...(get('same-files') === undefined && get('normalise-output') === undefined ? {} : { sameOutput: true }),
      ...Object.assign({}, ...own),
      stop,
      maxTimeNs: maxTime === undefined ? defaults.maxTimeNs : maxTime === 'none' ? null : maxTime,
      leastRuns: Math.min(defaults.leastRuns, endsByItself ? minRuns : mostRuns),
    };
    this.#checkIterations(settings, said);
    this.#checkMargin(settings, said);
    return settings;
  }

  /** Reports settings that no benchmark obeyed, at paths that `counts`; to be called after all benchmarks. */
  reportSettingsWithoutEffect(counts: (path: Path) => boolean): void {
    for (const { path, why } of this.#effects.values()) {
      if (why !== null && counts(path)) this.#problems.add(path, why.message, { at: 'key', hint: why.hint });
    }
  }

  /** Settings of all layers, the innermost first, where they have an effect. */
  #gather(layers: readonly PlacedLayer[], subject: Subject): Said {
    const said = new Map<SettingKey, { readonly value: unknown; readonly path: Path; readonly isPreset: boolean }>();
    const drop = (...keys: readonly SettingKey[]): void => keys.forEach((key) => said.delete(key));
    const take = ({ layer, path }: PlacedLayer, isPreset: boolean): void => {
      const entries = Object.entries(defined(layer)) as [SettingKey, unknown][];
      const replaced = replacedByStopSettings(entries.map(([key]) => key)) as readonly SettingKey[];
      drop(...replaced);
      // A rule that fixes the amount replaces the time limit of a preset too.
      if (replaced.includes('max-runs') && said.get('max-time')?.isPreset === true) drop('max-time');
      for (const [key, own] of entries) {
        const place = [...path, key];
        const value = this.#merged(key, { own, outer: said.get(key)?.value, place });
        const unfit = entryOf(key).unfit?.(value, subject) ?? null;
        this.#remember(place, unfit === null ? null : this.#wording.noEffect(place, unfit));
        if (unfit === null) said.set(key, { value, path: place, isPreset });
      }
    };
    for (const placed of layers) {
      this.#checkConflicts(placed, 'level');
      const { preset } = placed.layer;
      if (preset !== undefined && preset !== 'none') {
        take({ layer: presetLayers[preset], path: [...placed.path, 'preset'] }, true);
      }
      take(placed, false);
    }
    this.#checkConflicts({ layer: layerOf(said), path: [] }, 'any', said);
    return said;
  }

  /** A value over that of outer levels: limits of time are inherited one by one, and so are details of stop criteria that were typed alone. */
  #merged(
    key: SettingKey,
    { own, outer, place }: { readonly own: unknown; readonly outer: unknown; readonly place: Path },
  ): unknown {
    const isDetail = key === 'stable' && own !== 'never' && !Object.hasOwn(own as object, 'criteria');
    if (isDetail && typeof outer !== 'object') {
      const name = this.#wording.name(place);
      this.#problems.add(place, `${name} says how --stable decides, and there is no --stable`, {
        at: 'key',
        hint: 'Add --stable cv, or leave it out.',
      });
      return 'never';
    }
    return key === 'timeouts' || isDetail ? { ...(outer as object), ...defined(own as object) } : own;
  }

  #remember(path: Path, why: { readonly message: string; readonly hint: string } | null): void {
    const key = JSON.stringify(path);
    const known = this.#effects.get(key);
    if (known === undefined) this.#effects.set(key, { path, why });
    else if (why === null) known.why = null;
  }

  #checkConflicts({ layer, path }: PlacedLayer, within: 'level' | 'any', said?: Said): void {
    const placeOf = (key: SettingKey): Path => said?.get(key)?.path ?? [...path, key];
    const name = (key: SettingKey): string => this.#wording.name(placeOf(key));
    for (const { first, second, within: where, why } of conflicts) {
      const isSaid = (key: SettingKey): boolean => !isOff(layer[key]);
      if (where !== within || !isSaid(first) || !isSaid(second)) continue;
      const message = `${name(first)} and ${name(second)} contradict each other: ${why(name)}`;
      this.#problems.add(placeOf(placeOf(first)[0] === typedRoot ? first : second), message, {
        at: 'key',
        hint: 'Leave one of them out.',
      });
    }
  }

  /** True if a part of the run is left to judge. */
  #checkIterations({ stable, warmup, iterations, lengthNs = null }: Settings, said: Said): void {
    const nameOfWarmup = this.#wording.name(said.get('warmup-iterations')?.path ?? ['warmup-iterations']);
    if (stable !== null) {
      if (stable.leastWarmup <= stable.mostWarmup) return;
      const { leastWarmup: least, mostWarmup: most } = stable;
      this.#problems.add(said.get('stable')?.path ?? [], `min-warmup ${least} is more than max-warmup ${most}`);
    } else if (warmup.kind === 'fixed' && iterations !== null && warmup.iterations >= iterations) {
      const path = said.get('warmup-iterations')?.path ?? said.get('iterations')?.path ?? [];
      const message = `${nameOfWarmup} ${warmup.iterations} of ${iterations} iterations leaves none to judge`;
      this.#problems.add(path, message, { hint: 'Ask for more iterations, or for less warm-up.' });
    } else if (warmup.kind === 'time' && lengthNs !== null && warmup.timeNs >= lengthNs) {
      const message = `${nameOfWarmup} of ${warmup.timeNs / 1e9} s in a run of ${lengthNs / 1e9} s leaves nothing to judge`;
      this.#problems.add(said.get('warmup-iterations')?.path ?? [], message, {
        hint: 'Make runs longer, or warm-up shorter.',
      });
    }
  }

  #checkMargin({ marginNs, metric }: Settings, said: Said): void {
    if (marginNs == null || !isResourceMetric(metric)) return;
    const path = said.get('margin')?.path ?? ['margin'];
    const message = `${this.#wording.name(path)} is a time, and ${metricKinds[metric].name}, which decides, is none`;
    this.#problems.add(path, message, { hint: 'Give a share such as 1%.' });
  }

  #checkLimits(said: Said, get: (key: 'min-runs' | 'max-runs') => number | undefined): void {
    const [fewest, most] = [get('min-runs'), get('max-runs')];
    if (fewest === undefined || most === undefined || fewest <= most) return;
    const pathOf = (key: SettingKey): Path => said.get(key)?.path ?? [key];
    const { name } = this.#wording;
    this.#problems.add(
      pathOf('min-runs'),
      `${name(pathOf('min-runs'))} ${fewest} is more than ${name(pathOf('max-runs'))} ${most}`,
    );
  }
}

/** Settings that have a value, as a layer of its own. */
function layerOf(said: Said): SettingsLayer {
  return Object.fromEntries([...said].map(([key, { value }]) => [key, value]));
}

/** A preset as a layer outside of the one that names it. */
const presetLayers: Readonly<Record<'quick' | 'rigorous', SettingsLayer>> = {
  quick: toLayer(presets.quick),
  rigorous: toLayer(presets.rigorous),
};

function toLayer({ confidence, margin, stop, maxTimeNs }: (typeof presets)[keyof typeof presets]): SettingsLayer {
  return {
    confidence,
    margin,
    'max-time': maxTimeNs ?? 'none',
    ...(stopRuleOf(stop).asked as SettingsLayer),
  };
}

/** The entry of a key, which takes what the schema of that key lets through. */
function entryOf(key: SettingKey): SettingOption<unknown> {
  return settingsTable[key] as SettingOption<unknown>;
}

/** True if nothing is asked for. */
function isOff(value: unknown): boolean {
  return value === undefined || value === 'never' || value === 'none';
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
