import { badValue } from 'deadheat/settings';

/** A label of a machine: a name and its value. */
export type Label = readonly [name: string, value: string];

/** Parser of `NAME=VALUE`. */
export function parseLabel(flag: string): (value: string) => Label {
  return (value) => {
    const [, name, text] = /^([^=\s]+)=(.+)$/s.exec(value) ?? [];
    if (name === undefined || text === undefined)
      throw badValue(flag, value, { allowed: 'NAME=VALUE, such as region=eu' });
    return [name, text];
  };
}
