import { checkParameterName, createExcerpt, type Parameter, UsageError } from 'deadheat/settings';
import { splitFoldedValue } from './fold-values.ts';

const flag = '--parameter-list';

/** `-L VAR A,B,C`: the texts between the commas; a comma inside a text is written `\,`. */
export function parseParameterList(folded: string): Parameter {
  const values = splitFoldedValue(folded);
  const [name, list] = values;
  if (name === undefined || list === undefined) {
    throw new UsageError('MISSING_VALUE', `${flag} needs a name and a list: ${flag} size 10,100,1000`);
  }
  checkParameterName([flag, ...values], name);
  if (list === '') {
    const excerpt = createExcerpt([flag, ...values], { at: 2 });
    throw new UsageError('BAD_VALUE', `${flag} ${name} needs at least one value`, { excerpt });
  }
  const parts = list.match(/(?:\\,|[^,])*(?:,|$)/g) ?? [];
  const texts = parts.slice(0, list.endsWith(',') && !list.endsWith('\\,') ? undefined : -1);
  return { name, values: texts.map((text) => text.replace(/(?<!\\),$/, '').replaceAll('\\,', ',')) };
}
