import type { Side } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import type { Parsed } from './amounts.ts';
import { experimentFlags, type OutermostOf, optionTable } from './experiment-table.ts';
import type { Flag } from './option.ts';
import type { Path } from './problem.ts';
import type { SideOf } from './program-table.ts';
import { isSetting, type SettingsLayer } from './settings-table.ts';

/** Typed options of an experiment: the innermost layer of its description. */
export interface TypedLayer extends OutermostOf<Parsed>, Partial<Readonly<Record<Side, SideOf<Parsed>>>> {}

/** The name that JavaScript has for a key: `min-runs` is `minRuns`. */
export type CamelCase<Key extends string> = Key extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** The name by which commander knows a flag: `min-runs` is `minRuns`. */
export function attributeOf({ flags }: Pick<Flag, 'flags'>): string {
  return spelling({ flags })
    .replace(/^-+/, '')
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The flag as a person types it: its long spelling where it has one. */
export function spelling({ flags }: Pick<Flag, 'flags'>): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

/** The flag that says an option; of several the first. */
export function flagOfKey(key: string): string {
  const [flag] = optionTable[key]?.flags ?? [];
  return flag === undefined ? key : spelling(flag);
}

/** The flag that was typed for the value at a path of the layer: `--run-timeout` of `timeouts.run`, `--quick` of `preset`. */
export function flagAt([key, ...rest]: Path, typed: TypedLayer): string {
  if (key === 'A' || key === 'B') return flagAt(rest, typed);
  const [name, value] = [String(key), typed[key as keyof TypedLayer]];
  const flags = optionTable[name]?.flags ?? [];
  const exact = flags.find(
    ({ place, stands }) => String(place) === String([key, ...rest]) && (stands === undefined || stands === value),
  );
  const [detail] = name === 'stable' && typeof value === 'object' ? Object.entries(value) : [];
  if (detail?.[0] === 'like') return `--like ${detail[1]}`;
  const inside = flags.find(({ place }) => detail !== undefined && String(place) === `${name},${detail[0]}`);
  const flag = exact ?? inside ?? flags[0];
  const said = typeof value === 'string' && (name === 'like' || name === 'metric') ? ` ${value}` : '';
  return `${flag === undefined ? name : spelling(flag)}${said}`;
}

/** The settings of a layer, which a file of any format and every method may hold. */
export function settingsOf(layer: object): SettingsLayer {
  return Object.fromEntries(Object.entries(layer).filter(([key]) => isSetting(key)));
}

/**
 * The layer that typed flags make; `typed` holds their values by commander's names. Other names are left alone.
 *
 * @throws UsageError `CONFLICT` for two flags that say the same thing
 */
export function layerOfFlags(typed: Readonly<Record<string, unknown>>): TypedLayer {
  const layer: Record<string, unknown> = {};
  const takenBy = new Map<string, string>();
  for (const flag of experimentFlags) {
    const given = typed[attributeOf(flag)];
    if (given === undefined || given === null) continue;
    const values = flag.repeats === true ? (given as readonly unknown[]) : [given];
    for (const [index, one] of values.entries()) {
      const value = flag.parse === null ? (flag.stands ?? true) : one;
      const { place } = flag;
      const path = typeof place === 'function' ? place(value, { index, count: values.length }) : place;
      const before = takenBy.get(path.join('.'));
      if (before !== undefined && before !== spelling(flag)) {
        throw new UsageError(
          'CONFLICT',
          `${before} and ${spelling(flag)} contradict each other: they set the same option`,
          { hint: 'Leave one of them out.' },
        );
      }
      takenBy.set(path.join('.'), spelling(flag));
      put(layer, path, flag.keeps === undefined ? value : flag.keeps(value));
    }
  }
  return layer;
}

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else {
    const inner = (target[key] ??= {}) as Record<string, unknown>;
    put(inner, rest, value);
  }
}
