/** Where the programs of an experiment for a fleet come from, as typed. */
export interface CodeRequest {
  /** `here`, or a revision of the repository around the file. */
  readonly what: string;
  /** URL; `null` = that of the remote `origin`. */
  readonly repository: string | null;
}

/** What was typed of a fleet behind `deadheat run`. */
export interface FleetRequest {
  readonly url: string;
  /** `null` = all that run. */
  readonly hosts: number | null;
  readonly labels: Readonly<Record<string, string>>;
  /** `null` = images where the file has nothing else, and HEAD otherwise. */
  readonly code: CodeRequest | null;
  /** Other hosts that must find slower what the first found slower; `null` = none. */
  readonly confirm: number | null;
}
