/** A version of a program that can be executed. */
export interface ReadyVersion {
  /** Where its commands are executed: in its tree the folder that one stands in. */
  readonly folder: string;
  /** Root of its tree. */
  readonly root: string;
  /** Whether it was made ready before. */
  readonly wasReady: boolean;
  /** Gives it back; to be called once, whatever happened. */
  readonly release: () => Promise<void>;
}
