import { Option, type Command } from 'commander';
import { attributeOf, experimentFlags, flagOfSetting, withNames, type FlagGroup } from 'deadheat/settings';

/**
 * Adds the flags of a group of the settings table, or those of them that `only` names.
 *
 * @param only commander's names of flags, each with what its help says of the default
 */
export function addExperimentFlags(
  command: Command,
  group: FlagGroup,
  only?: Readonly<Record<string, string | null>>,
): void {
  for (const flag of experimentFlags) {
    if (flag.group !== group || (only !== undefined && !Object.hasOwn(only, attributeOf(flag)))) continue;
    const fallback = only === undefined ? flag.fallback : only[attributeOf(flag)];
    const text = `${flag.help}${fallback == null ? '' : ` (default: ${fallback})`}`;
    const option = new Option(flag.flags, withNames(text, flagOfSetting));
    if (flag.parse !== null) option.argParser(flag.parse);
    command.addOption(option);
  }
}
