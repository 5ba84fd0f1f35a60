import type { CompareRequest } from 'deadheat/internals';
import type { OutputChoices } from '../command/output-options.ts';

/** A comparison of two commands and how its result is shown. */
export interface CompareInvocation extends OutputChoices, CompareRequest {
  /** Folder of the recording; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
}
