/** When something ran: start and end on one clock, the end never before the start. An iteration of a recording is one. */
export interface TimeSpan {
  readonly s: number;
  readonly e: number;
}
