import {
  attributeOf,
  experimentFlags,
  type Flag,
  type FlagGroup,
  type CamelCase,
  flagOfKey,
  type TypedLayer,
  withNames,
} from 'deadheat/settings';
import type { Option, OptionsFor } from './option.ts';

const headings: Readonly<Record<FlagGroup, string>> = {
  subject: 'What to compare:',
  amount: 'How much to measure:',
  execution: 'How to run:',
  judging: 'Analysis and verdict:',
  exit: 'Analysis and verdict:',
  output: 'Output:',
};

/** Keys of options whose values commands read by themselves. */
type ReadKey = 'confidence' | 'margin' | 'judge' | 'metric' | 'interval' | 'correction' | 'strict';

/** Names of flags that are not those of keys. */
type OtherFlag = 'quick' | 'rigorous' | 'combine' | 'liftCaps' | 'timeout' | 'runTimeout' | 'harness' | 'method' | 'N';

/** Values of the flags of the tables of settings, which {@link layerOfFlags} reads; `null` = not typed. */
export type MeasuringValues = {
  readonly [Key in ReadKey as CamelCase<Key>]: NonNullable<TypedLayer[Key]> | null;
} & Readonly<Record<'prepare' | 'conclude', readonly string[] | null>> &
  Readonly<
    Record<
      Exclude<CamelCase<keyof TypedLayer>, CamelCase<ReadKey> | 'prepare' | 'conclude' | 'build'> | OtherFlag,
      unknown
    >
  >;

const groups = Object.keys(headings) as FlagGroup[];

/** Every option of the tables of settings, in the order of the help. */
export const measuringOptions: OptionsFor<MeasuringValues> = Object.fromEntries(
  experimentFlags
    .toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group))
    .map((flag) => [attributeOf(flag), toOption(flag)]),
) as unknown as OptionsFor<MeasuringValues>;

function toOption(flag: Flag & { readonly help: string; readonly fallback: string | null }): Option<unknown> {
  const { flags, help, fallback, parse, group, repeats } = flag;
  const read = (typed: string, before: unknown): unknown =>
    repeats === true ? [...((before ?? []) as readonly unknown[]), parse?.(typed)] : parse?.(typed);
  return {
    flags,
    help: withNames(help, flagOfKey),
    initial: null,
    group: headings[group],
    ...(fallback === null ? {} : { fallback: withNames(fallback, flagOfKey) }),
    ...(parse === null ? {} : { read }),
    ...(parse !== null && 'choices' in parse ? { choices: parse.choices as readonly string[] } : {}),
  };
}
