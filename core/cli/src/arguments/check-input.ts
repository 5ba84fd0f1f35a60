import { createExcerpt, UsageError } from 'deadheat/settings';
import type { FileProbe } from './probe-file.ts';

const reasons: Readonly<Record<Exclude<FileProbe, 'readable'>, string>> = {
  missing: 'there is no such file',
  directory: 'it is a folder',
  forbidden: 'its permissions do not allow it',
};

/** Refuses a file of `--input` that cannot be read. */
export function checkInput(path: string, probeFile: (path: string) => FileProbe): void {
  const probe = probeFile(path);
  if (probe === 'readable') return;
  throw new UsageError('UNREADABLE_INPUT', `--input ${path} cannot be read: ${reasons[probe]}`, {
    excerpt: createExcerpt(['--input', path], { at: 1 }),
  });
}
