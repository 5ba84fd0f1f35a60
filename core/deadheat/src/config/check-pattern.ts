/** Why a text is no pattern of lines; `null` when it is one. */
export function whyNoPattern(pattern: string): string | null {
  try {
    new RegExp(pattern, 'u').exec('');
  } catch (error) {
    return `is no regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`;
  }
  const groups = new Set([...pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map(([, name]) => name));
  const fits =
    (groups.has('start') && groups.has('end')) ||
    ((groups.has('start') || groups.has('end')) && groups.has('duration')) ||
    groups.has('time');
  return fits
    ? null
    : 'needs the groups (?<start>…) and (?<end>…), one of them and (?<duration>…), or (?<time>…) alone';
}
