import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { writeFailure } from './write-failure.ts';

/** Makes the folder of a recording for what is kept beside its measurements; gives its path. */
export const makeArtifactFolder = async (directory: string): Promise<string> => {
  const path = join(directory, 'artifacts');
  try {
    await makeFolder(path);
  } catch (error) {
    throw writeFailure(error, { path, recording: 'untouched' });
  }
  return path;
};
