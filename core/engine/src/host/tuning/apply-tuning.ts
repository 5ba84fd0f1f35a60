import { DeadheatError } from '@deadheat/model';
import { findTuning, type SettingFiles, type TunedSetting, type TuningName } from './find-tuning.ts';
import {
  readBootId,
  readTuningState,
  tuningFile,
  writeTuningState,
  type TuningState,
  removeTuningState,
} from './tuning-state.ts';

/** The result of one changed setting. */
export interface SettingChange {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Why it did not; `null` = it did. */
  readonly failure: string | null;
}

/** The settings that tuning changed. */
export interface AppliedTuning {
  readonly changes: readonly SettingChange[];
  /** File that holds the former values; `null` = nothing has been changed, now or before. */
  readonly stateFile: string | null;
}

/**
 * Sets the frequency governor to performance, and turns turbo and SMT off, as far as asked for and as the machine offers it. The
 * former values are on disk before the first write. Those that are kept there from an earlier call of this start of the machine
 * stay as they are, so that {@link restoreTuning} always gives back what was there before the first.
 *
 * @throws DeadheatError `TUNING_ABSENT`, `TUNING_REFUSED` or `TUNING_STATE`; then nothing was changed
 */
export function applyTuning(
  files: SettingFiles,
  { directory, names }: { readonly directory: string; readonly names: readonly TuningName[] },
): AppliedTuning {
  const kept = readTuningState(directory);
  const found = findTuning(files, names).filter(({ before }) => /^[\w-]{1,64}$/.test(before));
  const due = found.filter(({ before, wanted }) => wanted !== null && before !== wanted);
  const bootId = readBootId(files);
  const current = kept !== null && kept.bootId === bootId ? kept : null;
  if (due.length === 0) {
    if (!found.some(({ wanted }) => wanted !== null)) throw absent(names);
    return { changes: [], stateFile: current === null ? null : tuningFile(directory) };
  }
  const refusals = new Map(due.map(({ path }) => [path, files.whyNotWritable(path)]));
  const writable = due.filter(({ path }) => refusals.get(path) === null);
  if (writable.length === 0) throw refused(due, [...refusals.values()]);
  const touched = new Set(writable.map(({ tuning }) => tuning));
  const keep = found.filter(
    (setting) => writable.includes(setting) || (setting.wanted === null && touched.has(setting.tuning)),
  );
  keepFormer(keep, { directory, bootId, kept, current });
  const changes = due.map(({ path, before, wanted }): SettingChange => {
    const to = wanted ?? before;
    const why = refusals.get(path) ?? null;
    return {
      path,
      from: before,
      to,
      failure: why === null ? writeSetting(files, { path, value: to }) : `cannot be written (${why})`,
    };
  });
  return { changes, stateFile: tuningFile(directory) };
}

function keepFormer(
  found: readonly TunedSetting[],
  {
    directory,
    bootId,
    kept,
    current,
  }: {
    readonly directory: string;
    readonly bootId: string | null;
    /** The state that lies in the folder. */
    readonly kept: TuningState | null;
    /** The same, when it is of this start of the machine. */
    readonly current: TuningState | null;
  },
): void {
  const known = new Set((current?.settings ?? []).map(({ path }) => path));
  const added = found.filter(({ path }) => !known.has(path));
  if (added.length === 0) return;
  const state: TuningState = { bootId, settings: [...(current?.settings ?? []), ...added] };
  if (writeTuningState(directory, { state, expected: kept === null ? 'none' : 'some' })) return;
  throw new DeadheatError(
    'TUNING_STATE',
    `Another process has just begun to change these settings and keeps the former values in ${tuningFile(directory)}. ` +
      'Nothing is changed here; see what it did with: deadheat doctor.',
  );
}

function absent(names: readonly TuningName[]): DeadheatError {
  return new DeadheatError(
    'TUNING_ABSENT',
    `This machine shows no setting of ${names.join(', ')} that could be changed, as is normal in virtual machines and ` +
      'containers: the frequency of the cores belongs to the host. Run it on the host, or choose a method that suffers ' +
      'less (see: deadheat doctor).',
  );
}

function refused(due: readonly TunedSetting[], codes: readonly (string | null)[]): DeadheatError {
  const [first] = due;
  const advice = codes.includes('EROFS')
    ? '/sys is mounted read-only, as in most containers: run it on the host as root.'
    : 'Run it as root, for example with sudo.';
  const why = [...new Set(codes)].join(', ');
  return new DeadheatError(
    'TUNING_REFUSED',
    `${due.length === 1 ? 'A setting' : `${due.length} settings`} would be changed, such as ${first?.path} from ${first?.before} to ` +
      `${first?.wanted}, but none can be written (${why}). ${advice}`,
  );
}

/** The settings that were restored. `outdated`: the machine was restarted since, so the former values were dropped. */
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
 * Restores the settings of before the first {@link applyTuning} of this start of the machine, also when that or an earlier
 * restoring was killed at any moment. The former values are forgotten when all of them stand where they were.
 *
 * @throws DeadheatError `TUNING_STATE` when what was kept cannot be read; then nothing was changed
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

/**
 * Writes and looks whether it holds: a kernel may take a value without a word and keep its own.
 *
 * @returns why it does not hold; `null` = it does
 */
function writeSetting(
  files: SettingFiles,
  { path, value }: { readonly path: string; readonly value: string },
): string | null {
  try {
    files.write(path, value);
  } catch (error) {
    return (error as Error).message;
  }
  const now = files.read(path);
  return now === value ? null : `the kernel keeps ${now ?? 'nothing readable'} there`;
}

/** The file with former values of settings that were changed since this start of the machine; `null` = there is none. */
export function pendingRestore(files: SettingFiles, { directory }: { readonly directory: string }): string | null {
  try {
    const state = readTuningState(directory);
    return state === null || state.bootId !== readBootId(files) ? null : tuningFile(directory);
  } catch {
    // A malformed state is reported when it is to be restored.
    return tuningFile(directory);
  }
}
