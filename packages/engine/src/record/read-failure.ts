import { RecordError } from './record-error.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * The error for a file or folder of a recording that the system would not read. An error that did not come from the
 * system is given back as it is.
 */
export const readFailure = (error: unknown, path: string): unknown => {
  const systemCode = systemErrorCode(error);
  if (systemCode === null) return error;
  const details = { path, cause: error };
  switch (systemCode) {
    case 'ENOENT':
      return new RecordError('NOT_FOUND', `${path} does not exist. Check the path.`, details);
    case 'EACCES':
    case 'EPERM':
      return new RecordError(
        'NOT_READABLE',
        `Cannot read ${path}: permission denied (${systemCode}). Give yourself read permission, or copy the recording.`,
        details,
      );
    default:
      return new RecordError(
        'IO',
        `Cannot read ${path}: the system refused (${systemCode}). Check the path and the disk.`,
        details,
      );
  }
};
