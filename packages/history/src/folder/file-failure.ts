import { HistoryError, type HistoryErrorCode } from '../history-error.ts';

const explanations: Readonly<Record<string, readonly [HistoryErrorCode, what: string, advice: string]>> = {
  ENOSPC: ['DISK_FULL', 'the disk is full', 'Free some space there'],
  EDQUOT: ['DISK_FULL', 'the disk quota is used up', 'Free some of your space there'],
  EROFS: ['NOT_ALLOWED', 'the file system is read-only', 'Make it writable'],
  EACCES: ['NOT_ALLOWED', 'permission denied', 'Give yourself permission there'],
  EPERM: ['NOT_ALLOWED', 'operation not permitted', 'Give yourself permission there'],
  ENOTDIR: ['BAD_URL', 'a part of the path is a file, not a folder', 'Name a folder'],
  EEXIST: ['BAD_URL', 'a file stands in the place of the folder', 'Name a folder'],
  ENOENT: ['NOT_FOUND', 'there is no such file or folder', 'Check the path'],
};

/** The error for a refusal of the system at `path`; anything else is given back as it is. */
export const fileFailure = (
  error: unknown,
  { path, doing }: { readonly path: string; readonly doing: string },
): unknown => {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const code = String(error.code);
  const [kind, what, advice] = explanations[code] ?? ['STORE_FAILED', 'the system refused', 'Remove the cause'];
  return new HistoryError(
    kind,
    `Cannot ${doing} ${path}: ${what} (${code}). Nothing was left half written. ${advice}, and try again.`,
    { cause: error },
  );
};
