import type { CompareRequest } from 'deadheat/internals';
import type { OutputChoices } from '../command/output-options.ts';

/** A comparison of two commands and how its result is shown. */
export interface CompareInvocation extends OutputChoices, CompareRequest {
  readonly kind: 'compare';
  /** Folder of the recording; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
}

/** The rest of a recorded experiment, exactly as it was planned. */
export interface ResumeInvocation extends OutputChoices {
  readonly kind: 'resume';
  readonly recording: string;
}
