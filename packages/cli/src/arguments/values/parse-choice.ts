import { badValue } from '../bad-value.ts';
import { nearestWord } from '../nearest-word.ts';

/** Parser of one of the words `choices`. */
export function parseChoice<Choice extends string>(
  flag: string,
  choices: readonly Choice[],
): (value: string) => Choice {
  return (value) => {
    const choice = choices.find((word) => word === value);
    if (choice !== undefined) return choice;
    const nearest = nearestWord(value.toLowerCase(), choices);
    const hint = nearest === null ? null : `Did you mean ${flag} ${nearest}?`;
    throw badValue(flag, value, { allowed: listWords(choices), hint });
  };
}

function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
