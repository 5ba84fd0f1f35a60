/** What the guardian is to look after; the last line it got is in force. */
export interface GuardianOrder {
  /** Processes to end, each with everything below it. */
  readonly processes: readonly number[];
  /** Files to remove. */
  readonly files: readonly string[];
}
