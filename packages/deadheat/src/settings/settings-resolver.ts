import {
  defaultSettings,
  enoughRuns,
  enoughTimeNs,
  leastRuns,
  methodOfPaper,
  paperSettings,
  presets,
  stableRuns,
  type AskedMethod,
  type Settings,
  type StopRule,
  type Workload,
} from '@deadheat/model';
import type { SettingOption, Subject } from './option.ts';
import type { Path, Problems } from './problem.ts';
import { conflicts, settingsTable, type SettingKey, type SettingsLayer } from './settings-table.ts';

/** Settings said in one place: on a level of a file, by the flags of a command, by an object of the library. */
export interface PlacedLayer {
  readonly layer: SettingsLayer;
  readonly path: Path;
}

/** How a person knows the settings, for messages: in a file by their keys, on the command line by flags. */
export interface Wording {
  readonly name: (key: SettingKey) => string;
  /** The sentence about a setting that does nothing, and what to do. */
  readonly noEffect: (
    key: SettingKey,
    facts: { readonly because: 'method' | 'workload'; readonly why: string; readonly value: unknown },
  ) => { readonly message: string; readonly hint: string };
}

const byKey: Wording = {
  name: (key) => key,
  noEffect: (key, { why }) => ({ message: `${key} has no effect: ${why}`, hint: 'Leave it out.' }),
};

/** How a workload is measured and judged by a method where nothing is said. */
export function settingsDefaults(method: AskedMethod, workload: Workload): Settings {
  const settings = defaultSettings(method, workload);
  // A program that only prints does as many iterations as it does.
  return workload === 'lines' ? { ...settings, iterations: null } : settings;
}

/**
 * The method where none is named: that of the paper to be followed. Some settings have a meaning only with a core for each side; a program that only prints
 * cannot wait at a barrier.
 */
export function impliedMethod(workload: Workload, layers: readonly SettingsLayer[]): AskedMethod {
  const like = layers.findLast((layer) => layer.like !== undefined)?.like ?? 'none';
  if (like !== 'none') return methodOfPaper(like);
  if (workload === 'lines') return 'async-duet';
  return meansDuet(workload, layers) === null ? 'auto' : 'sync-duet';
}

/** The setting that means `sync-duet` where no method is named; `null` = there is none. */
export function meansDuet(workload: Workload, layers: readonly SettingsLayer[]): SettingKey | null {
  const said = (key: SettingKey, means: (layer: SettingsLayer) => boolean): SettingKey | null =>
    layers.some(means) ? key : null;
  return (
    said('swap', (layer) => layer.swap !== undefined) ??
    said('trade-every', (layer) => typeof layer['trade-every'] === 'number') ??
    said('fill', (layer) => layer.fill === true && workload === 'harness') ??
    said('metric', (layer) => layer.metric === 'time')
  );
}

type Said = ReadonlyMap<SettingKey, { readonly value: unknown; readonly path: Path }>;

const stopKeys = ['runs', 'min-runs', 'max-runs', 'precision', 'until'] as const;

/** Makes whole settings of layers, and tells of what is said but has no effect anywhere, or contradicts itself. */
export class SettingsResolver {
  readonly #problems: Problems;
  readonly #wording: Wording;
  /** Whether a setting of a layer had an effect on some benchmark; `null` or why not. */
  readonly #effects = new Map<
    string,
    { readonly path: Path; why: { readonly message: string; readonly hint: string } | null }
  >();

  constructor(problems: Problems, wording: Wording = byKey) {
    this.#problems = problems;
    this.#wording = wording;
  }

  /** Settings of a subject from the outermost layer to the innermost; what an inner one says counts. */
  resolve(layers: readonly PlacedLayer[], subject: Subject): Settings {
    const said = this.#gather(layers, subject);
    const get = <Key extends SettingKey>(key: Key): SettingsLayer[Key] => said.get(key)?.value as SettingsLayer[Key];
    const usual = settingsDefaults(subject.method, subject.workload);
    const like = get('like') ?? 'none';
    const defaults = like === 'none' ? usual : { ...usual, ...paperSettings(like, usual.method) };
    const stable = get('stable');
    const stop = this.#stopRule(said, get, { isStable: stable !== undefined && stable !== 'never' });
    const isBounded = stop.kind === 'runs' || stop.kind === 'stable';
    const maxTime = get('max-time') ?? (isBounded ? 'none' : undefined);
    const own = [...said].map(([key, { value }]) => entryOf(key).sets?.(value) ?? {});
    const settings: Settings = {
      ...defaults,
      ...Object.assign({}, ...own),
      stop,
      maxTimeNs: maxTime === undefined ? defaults.maxTimeNs : maxTime === 'none' ? null : maxTime,
      leastRuns: Math.min(defaults.leastRuns, get('runs') ?? fewestOf(stop) ?? defaults.leastRuns),
    };
    this.#checkIterations(settings, said);
    return settings;
  }

  /** Tells of settings that no benchmark obeyed; to be called after all. */
  tellOfNoEffect(): void {
    for (const { path, why } of this.#effects.values()) {
      if (why !== null) this.#problems.add(path, why.message, { at: 'key', hint: why.hint });
    }
  }

  /** What counts of all layers, where it has an effect. */
  #gather(layers: readonly PlacedLayer[], subject: Subject): Said {
    const said = new Map<SettingKey, { readonly value: unknown; readonly path: Path; readonly isPreset: boolean }>();
    const drop = (...keys: readonly SettingKey[]): void => keys.forEach((key) => said.delete(key));
    const take = ({ layer, path }: PlacedLayer, isPreset: boolean): void => {
      if (layer.runs !== undefined) {
        drop(...stopKeys);
        if (said.get('max-time')?.isPreset === true) drop('max-time');
      } else if (stopKeys.some((key) => layer[key] !== undefined)) drop('runs');
      if (layer.precision !== undefined) drop('until');
      if (layer.until !== undefined) drop('precision');
      for (const [key, value] of Object.entries(layer) as [SettingKey, unknown][]) {
        if (value === undefined) continue;
        const unfit = entryOf(key).unfit?.(value, subject) ?? null;
        const place = [...path, key];
        this.#remember(place, unfit === null ? null : this.#wording.noEffect(key, { ...unfit, value }));
        if (unfit !== null) continue;
        const merged =
          key === 'timeouts' ? { ...(said.get(key)?.value as object), ...defined(value as object) } : value;
        said.set(key, { value: merged, path: place, isPreset });
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
    const all = Object.fromEntries([...said].map(([key, { value }]) => [key, value])) as SettingsLayer;
    this.#checkConflicts({ layer: all, path: [] }, 'any', said);
    return said;
  }

  #remember(path: Path, why: { readonly message: string; readonly hint: string } | null): void {
    const key = JSON.stringify(path);
    const known = this.#effects.get(key);
    if (known === undefined) this.#effects.set(key, { path, why });
    else if (why === null) known.why = null;
  }

  #checkConflicts({ layer, path }: PlacedLayer, within: 'level' | 'any', said?: Said): void {
    const { name } = this.#wording;
    for (const { first, second, within: where, why } of conflicts) {
      const isSaid = (key: SettingKey): boolean => !isOff(layer[key]);
      if (where !== within || !isSaid(first) || !isSaid(second)) continue;
      const message = `${name(first)} and ${name(second)} contradict each other: ${why(name)}`;
      this.#problems.add(said?.get(second)?.path ?? [...path, second], message, {
        at: 'key',
        hint: 'Leave one of them out.',
      });
    }
  }

  /** Whether something is left to judge of a run. */
  #checkIterations({ stable, warmup, iterations }: Settings, said: Said): void {
    if (stable !== null) {
      if (stable.leastWarmup <= stable.mostWarmup) return;
      const { leastWarmup: least, mostWarmup: most } = stable;
      this.#problems.add(said.get('stable')?.path ?? [], `min-warmup ${least} is more than max-warmup ${most}`);
    } else if (warmup.kind === 'fixed' && iterations !== null && warmup.iterations >= iterations) {
      const path = said.get('warmup')?.path ?? said.get('iterations')?.path ?? [];
      const message = `${this.#wording.name('warmup')} ${warmup.iterations} of ${iterations} iterations leaves none to judge`;
      this.#problems.add(path, message, { hint: 'Ask for more iterations, or for less warm-up.' });
    }
  }

  #stopRule(
    said: Said,
    get: <Key extends (typeof stopKeys)[number]>(key: Key) => SettingsLayer[Key],
    { isStable }: { readonly isStable: boolean },
  ): StopRule {
    const [runs, maxRuns, precision] = [get('runs'), get('max-runs') ?? null, get('precision')];
    if (runs !== undefined) return { kind: 'runs', runs };
    const fewest = get('until') === 'decided' ? leastRuns : enoughRuns;
    const minRuns = get('min-runs') ?? Math.min(fewest, maxRuns ?? fewest);
    if (maxRuns !== null && minRuns > maxRuns) {
      const path = said.get('min-runs')?.path ?? said.get('max-runs')?.path ?? [];
      const { name } = this.#wording;
      this.#problems.add(path, `${name('min-runs')} ${minRuns} is more than ${name('max-runs')} ${maxRuns}`);
    }
    if (precision !== undefined) return { kind: 'precision', precision, minRuns, maxRuns };
    if (get('until') === 'decided') return { kind: 'decided', minRuns, maxRuns };
    if (isStable) return stableStop(get('min-runs'), maxRuns);
    return { kind: 'enough', minRuns, maxRuns, minTimeNs: enoughTimeNs };
  }
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
    ...(stop.kind === 'decided' ? { until: stop.kind } : {}),
    ...(stop.kind === 'precision' ? { precision: stop.precision } : {}),
  };
}

/** The entry of a key, which takes what the schema of that key lets through. */
function entryOf(key: SettingKey): SettingOption<unknown> {
  return settingsTable[key] as SettingOption<unknown>;
}

/** Fewest runs that a bounded rule may end with; `undefined` = what is usual. */
function fewestOf(stop: StopRule): number | undefined {
  return stop.kind === 'stable' ? stop.minRuns : stop.kind === 'runs' ? stop.runs : (stop.maxRuns ?? undefined);
}

/** Whether nothing is asked for. */
function isOff(value: unknown): boolean {
  return value === undefined || value === 'never' || value === 'none';
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** The rule that asks the criteria of `stable` over runs too; a fewest above the default most raises that. */
function stableStop(minRuns: number | undefined, maxRuns: number | null): StopRule {
  const most = maxRuns ?? Math.max(stableRuns.most, minRuns ?? 0);
  return { kind: 'stable', minRuns: minRuns ?? Math.min(stableRuns.least, most), maxRuns: most };
}
