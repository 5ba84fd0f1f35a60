import type { StudyKind } from '@deadheat/analysis';
import type { Method } from '@deadheat/model';

const methods: Readonly<Partial<Record<StudyKind, readonly Method[]>>> = {
  accuracy: ['tandem', 'sync-duet', 'sequential'],
  overlap: ['async-duet', 'sync-duet', 'sequential'],
  mds: ['sync-duet', 'async-duet', 'sequential'],
  asymmetry: ['sync-duet', 'sequential'],
};

/** The methods whose runs fill the tables of a study; `null` for a study that is not about A/A runs. */
export function studyMethods(kind: StudyKind): readonly Method[] | null {
  return methods[kind] ?? null;
}

/** Of a study's methods those that a machine can offer; empty where nothing would be left to tell. */
export function offeredMethods(kind: StudyKind, isOffered: (method: Method) => boolean): readonly Method[] {
  const offered = (methods[kind] ?? []).filter((method) => isOffered(method));
  return kind === 'overlap' && !offered.includes('async-duet') ? [] : offered;
}
