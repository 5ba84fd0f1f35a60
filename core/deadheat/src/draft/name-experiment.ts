import { basename } from 'node:path';
import { sides } from '@deadheat/model';
import type { CompareRequest } from './compare-request.ts';

const longest = 40;

/** A short name for the recording's folder, of letters, digits, `.`, `_` and `-`: `gzip`, `old-vs-new`. */
export function nameExperiment({
  commands,
  names,
  contenders = [],
}: Pick<CompareRequest, 'commands' | 'names' | 'contenders'>): string {
  const parts = sides.map((side) => slug(names[side] ?? basename(/\S+/.exec(commands[side])?.[0] ?? '')));
  const [a = '', b = ''] = parts;
  const more = contenders.length === 0 ? '' : `-and-${contenders.length}-more`;
  return ((a === b ? a : `${a}-vs-${b}`) + more).slice(0, longest).replace(/[-.]+$/, '') || 'comparison';
}

function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
}
