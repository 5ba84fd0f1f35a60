import { badValue, type Option, option, parseDuration, text } from '@deadheat/cli/kit';

/** The option for the history that is read. */
export const fromOption: Option<string> = option('--from <PLACE>', {
  help: 'the history: a folder, or postgres://user@host/name',
  parse: text('a folder or a URL'),
  default: '.deadheat',
});

const nsPerDay = 24 * 3600e9;

/** Parser of an age, in ns: whole days such as `90d`, or a duration such as `12h`. */
export function parseAge(flag: string): (typed: string) => number {
  const parse = parseDuration(flag);
  return (typed) => {
    const days = /^(\d{1,5})d$/.exec(typed)?.[1];
    if (days === undefined) return parse(typed);
    if (Number(days) === 0) throw badValue(flag, typed, { allowed: 'an age above zero such as 90d or 12h' });
    return Number(days) * nsPerDay;
  };
}
