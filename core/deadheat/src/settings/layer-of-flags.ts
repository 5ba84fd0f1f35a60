import type { AskedMethod, Paper, StableRule } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';
import { experimentFlags, type ExperimentLayer } from './experiment-table.ts';
import type { Flag } from './option.ts';
import { settingsTable, type SettingKey, type SettingsLayer } from './settings-table.ts';

/** Settings from the flags of one command: the innermost layer. */
export interface FlagLayer extends SettingsLayer, ExperimentLayer {
  readonly input?: string | undefined;
  readonly scratch?: string | undefined;
  readonly workload?: 'harness' | undefined;
  readonly methods?: AskedMethod | undefined;
  readonly shell?: string | undefined;
  readonly setup?: string | undefined;
  readonly cleanup?: string | undefined;
}

/** The name that JavaScript has for a key: `min-runs` is `minRuns`. */
export type CamelCase<Key extends string> = Key extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** Values of flags that stand where their name says. */
type NamedFlags = {
  readonly [Key in keyof (SettingsLayer & ExperimentLayer) as CamelCase<Key>]?: NonNullable<
    (SettingsLayer & ExperimentLayer)[Key]
  >;
};

/** Values of the table's flags by commander's names; absent = not typed. */
export interface FlagValues extends Omit<
  NamedFlags,
  'preset' | 'like' | 'stable' | 'timeouts' | 'name' | 'schedule' | 'engine' | 'artifacts' | 'seed'
> {
  readonly quick?: true;
  readonly rigorous?: true;
  readonly stable?: StableRule['criteria'] | 'never';
  readonly combine?: StableRule['combine'];
  readonly like?: Paper | StableRule['like'];
  readonly liftCaps?: number;
  readonly timeout?: number | 'none';
  readonly runTimeout?: number | 'none';
  readonly seed?: string;
  readonly input?: string;
  readonly scratch?: string;
  readonly harness?: true;
  readonly method?: AskedMethod;
  readonly shell?: string;
  readonly N?: true;
  readonly setup?: string;
  readonly cleanup?: string;
}

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

/** A text of the table with options called by `name`. */
export function withNames(text: string, name: (key: SettingKey) => string): string {
  return text.replaceAll(/\{([a-z-]+)\}/g, (_, key: SettingKey) => name(key));
}

/** The flag that says a setting; of several the first. */
export function flagOfSetting(key: SettingKey): string {
  const [flag] = settingsTable[key].flags;
  return flag === undefined ? key : spelling(flag);
}

/**
 * The layer that typed flags make; `typed` holds their values by commander's names. Other names are left alone.
 *
 * @throws UsageError `CONFLICT` for two flags that say the same thing
 */
export function layerOfFlags(typed: Readonly<Record<string, unknown>>): FlagLayer {
  const layer: Record<string, unknown> = {};
  const takenBy = new Map<string, string>();
  for (const flag of experimentFlags) {
    const given = typed[attributeOf(flag)];
    if (given === undefined || given === null) continue;
    const value = flag.parse === null ? (flag.stands ?? true) : given;
    const place = placeOf(flag, value);
    const before = takenBy.get(place.join('.'));
    if (before !== undefined) {
      throw new UsageError(
        'CONFLICT',
        `${before} and ${spelling(flag)} contradict each other: they set the same option`,
        {
          hint: 'Leave one of them out.',
        },
      );
    }
    takenBy.set(place.join('.'), spelling(flag));
    put(layer, place, value);
  }
  return layer;
}

function placeOf({ place }: Flag, value: unknown): readonly string[] {
  return typeof place === 'function' ? place(value) : place;
}

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else {
    const inner = (target[key] ??= {}) as Record<string, unknown>;
    put(inner, rest, value);
  }
}
