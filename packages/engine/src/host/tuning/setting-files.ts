import { accessSync, closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../read-text.ts';

/** The files through which the kernel shows and takes settings. */
export interface SettingFiles {
  /** Folder that stands for `/`. */
  readonly root: string;
  /** The trimmed text of a file; `null` when it is missing, unreadable or empty. */
  read(path: string): string | null;
  /** Why a file cannot be written, as the code of the system (`EACCES`, `EROFS`, ...); `null` = it can. */
  whyNotWritable(path: string): string | null;
  /** Writes a setting. @throws the system's error when the kernel refuses the value */
  write(path: string, value: string): void;
}

/** Those of this machine, or of a tree that stands for it. */
export function settingFiles(root = '/'): SettingFiles {
  return {
    root,
    read: (path) => readText(root, path),
    whyNotWritable(path) {
      try {
        accessSync(join(root, path), constants.W_OK);
        return null;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'EIO';
      }
    },
    write(path, value) {
      // Never creates a file: what the kernel does not show is not there to be set.
      const descriptor = openSync(join(root, path), constants.O_WRONLY | constants.O_TRUNC);
      try {
        writeSync(descriptor, value);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
