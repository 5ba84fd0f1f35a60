import type { SettingFiles } from './setting-files.ts';
import { readBootId, readTuningState, tuningFile } from './tuning-state.ts';

/** The file with former values of settings that were changed since this start of the machine; `null` = there is none. */
export function pendingRestore(files: SettingFiles, { directory }: { readonly directory: string }): string | null {
  try {
    const state = readTuningState(directory);
    return state === null || state.bootId !== readBootId(files) ? null : tuningFile(directory);
  } catch {
    // What is wrong with it is said when it is to be put back.
    return tuningFile(directory);
  }
}
