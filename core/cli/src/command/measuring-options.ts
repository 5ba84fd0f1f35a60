import {
  attributeOf,
  experimentFlags,
  type Flag,
  type FlagGroup,
  flagOfSetting,
  type FlagValues,
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

/** Values of the flags of the tables of settings; `null` = not typed. */
export type MeasuringValues = { readonly [Key in keyof FlagValues]-?: NonNullable<FlagValues[Key]> | null };

const groups = Object.keys(headings) as FlagGroup[];

/** Every option of measuring and judging, made from the tables of settings, in the order of the help. `layerOfFlags` takes their values. */
export const measuringOptions: OptionsFor<MeasuringValues> = Object.fromEntries(
  experimentFlags
    .toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group))
    .map((flag) => [attributeOf(flag), toOption(flag)]),
) as unknown as OptionsFor<MeasuringValues>;

function toOption(flag: Flag & { readonly help: string; readonly fallback: string | null }): Option<unknown> {
  const { flags, help, fallback, parse, group } = flag;
  return {
    flags,
    help: withNames(help, flagOfSetting),
    initial: null,
    group: headings[group],
    ...(fallback === null ? {} : { fallback: withNames(fallback, flagOfSetting) }),
    ...(parse === null ? {} : { read: (typed: string) => parse(typed) }),
    ...(parse !== null && 'choices' in parse ? { choices: parse.choices as readonly string[] } : {}),
  };
}
