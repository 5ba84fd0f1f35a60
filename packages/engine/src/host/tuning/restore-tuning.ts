import type { SettingChange } from './apply-tuning.ts';
import type { SettingFiles } from './setting-files.ts';
import { readBootId, readTuningState, removeTuningState, tuningFile } from './tuning-state.ts';
import { writeSetting } from './write-setting.ts';

/** What was put back. `outdated`: the machine was restarted since, so the former values were dropped. */
export type RestoredTuning =
  | { readonly kind: 'nothing-kept' }
  | { readonly kind: 'outdated' }
  | {
      readonly kind: 'restored';
      readonly changes: readonly SettingChange[];
      /** File that still holds the former values, because some could not be put back; `null` = it is gone. */
      readonly stateFile: string | null;
    };

/**
 * Puts back what was there before the first {@link applyTuning} of this start of the machine, also when that or an earlier
 * restoring was killed at any moment. The former values are forgotten when all of them stand where they were.
 *
 * @throws TuningError `TUNING_STATE` when what was kept cannot be read; then nothing was changed
 */
export function restoreTuning(files: SettingFiles, { directory }: { readonly directory: string }): RestoredTuning {
  const state = readTuningState(directory);
  if (state === null) return { kind: 'nothing-kept' };
  if (state.bootId !== readBootId(files)) {
    removeTuningState(directory);
    return { kind: 'outdated' };
  }
  const changes = state.settings.toReversed().flatMap(({ path, before }): readonly SettingChange[] => {
    const now = files.read(path);
    if (now === before) return [];
    if (now === null) return [{ path, from: '-', to: before, failure: 'it is not there any more' }];
    return [{ path, from: now, to: before, failure: writeSetting(files, { path, value: before }) }];
  });
  const isWhole = changes.every(({ failure }) => failure === null);
  if (isWhole) removeTuningState(directory);
  return { kind: 'restored', changes, stateFile: isWhole ? null : tuningFile(directory) };
}
