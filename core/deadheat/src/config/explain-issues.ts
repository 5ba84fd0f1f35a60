import { nearestWord } from '@deadheat/model';
import type { z } from 'zod';
import type { Path, Problems } from '../settings/problem.ts';

type Issue = z.core.$ZodIssue;

/** Adds a problem for each thing that a schema refused in `data`; `base` is where `data` stands in the file. */
export function explainIssues(
  issues: readonly Issue[],
  { data, base = [], problems }: { readonly data: unknown; readonly base?: Path; readonly problems: Problems },
): void {
  for (const issue of issues) explainIssue(issue, { data, path: [], base, problems });
}

interface Place {
  readonly data: unknown;
  /** Path from `data` to what the issue's own path begins at. */
  readonly path: Path;
  readonly base: Path;
  readonly problems: Problems;
}

function explainIssue(issue: Issue, place: Place): void {
  const { data, base, problems } = place;
  const inner: Path = [...place.path, ...(issue.path as Path)];
  const path: Path = [...base, ...inner];
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    for (const key of issue.keys) {
      const nearest = nearestWord(key, known) ?? nearestWord(key.replaceAll('_', '-').toLowerCase(), known);
      const hint = nearest === null ? `Known here: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
      problems.add([...path, key], `unknown key ${key}${under(path)}`, { at: 'key', hint });
    }
    return;
  }
  if (issue.code === 'invalid_union') {
    const fitting = issue.errors.filter((branch) => !branch.some(isOfAnotherKind));
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) {
      for (const nested of only) explainIssue(nested, { ...place, path: inner });
      return;
    }
  }
  if (issue.code === 'invalid_key') {
    const [inside] = issue.issues;
    const why = inside === undefined ? '' : `: ${inside.message}`;
    problems.add(path, `${nameOf(path)} cannot be a key here${why}`, { at: 'key' });
    return;
  }
  const value = valueAt(data, inner);
  if (value === undefined) {
    problems.add(path, `${nameOf(path)} is missing${under(path.slice(0, -1))}`, { at: 'key' });
    return;
  }
  const { whole = false, hint = null } = issue.code === 'custom' && issue.params !== undefined ? issue.params : {};
  const text = ((): string => {
    if (whole) return issue.message;
    // The right kind of value with the wrong content: that it is a list is no news.
    const isKindRight = typeof value === 'object' && issue.code !== 'invalid_type' && issue.code !== 'invalid_union';
    return isKindRight ? `needs ${issue.message}` : `must be ${issue.message}, not ${describeValue(value)}`;
  })();
  problems.add(path, `${nameOf(path)} ${text}`, { hint: hint ?? suggestWord(issue, value) });
}

/** True if a branch of a union is for another kind of value altogether. */
function isOfAnotherKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function suggestWord(issue: Issue, value: unknown): string | null {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return null;
  const words = issue.values.filter((word) => typeof word === 'string');
  const nearest = nearestWord(value.toLowerCase().replaceAll('_', '-'), words);
  return nearest === null ? null : `Did you mean ${nearest}?`;
}

/** The last key of a path; an item of a list is called by the list's key. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  if (typeof last === 'string') return last;
  const list = path.at(-2);
  return list === undefined ? `item ${last + 1}` : `item ${last + 1} of ${list}`;
}

function under(path: Path): string {
  const keys = path.filter((step) => typeof step === 'string');
  return keys.length === 0 ? '' : ` in ${keys.join('.')}`;
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

/** A value of a file in words that fit behind `not`. */
function describeValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
