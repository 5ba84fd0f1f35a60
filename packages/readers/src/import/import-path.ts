import { statSync } from 'node:fs';
import { importFile, type ImportOptions } from './import-file.ts';
import { importFolder } from './import-folder.ts';
import { fileSource, readingFailure } from './import-source.ts';
import type { ImportedFile } from './imported-file.ts';

/**
 * Reads a result file, or all of a folder as one.
 *
 * @throws ImportError as `importFile` and `importFolder`
 */
export const importPath = async (path: string, options: ImportOptions = {}): Promise<ImportedFile> =>
  isFolder(path) ? importFolder(path, options) : importFile(fileSource(path), options);

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw readingFailure(error, path);
  }
};
