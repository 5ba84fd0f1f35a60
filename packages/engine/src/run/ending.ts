import type { Side } from '@deadheat/model';

/** Says in the course of a run when programs that know nothing of it have made enough. */
export interface Ending {
  /**
   * To be called before the programs start.
   *
   * @param end ends a side's program, with everything below it; what it did until then counts
   */
  begin(end: (side: Side) => void): void;
  /** To be called when both have ended, while the files are there; also when `begin` was not. */
  end(): void;
  /**
   * How many bytes of what a side's program printed count: those that were read when it was ended. What it says about its end is
   * nobody's iteration. `null` = all.
   */
  readUntil(side: Side): number | null;
}

/** A program that was asked to end gets so long before it is killed, ms. */
export const endingGraceMs = 2000;
