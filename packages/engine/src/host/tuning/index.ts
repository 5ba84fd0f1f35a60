export { applyTuning, type AppliedTuning, type SettingChange } from './apply-tuning.ts';
export { pendingRestore } from './pending-restore.ts';
export { restoreTuning, type RestoredTuning } from './restore-tuning.ts';
export { settingFiles, type SettingFiles } from './setting-files.ts';
export { defaultTuning, tuningNames, type TuningName } from './tuned-setting.ts';
export { TuningError, type TuningErrorCode } from './tuning-error.ts';
export { tuningDirectory } from './tuning-state.ts';
