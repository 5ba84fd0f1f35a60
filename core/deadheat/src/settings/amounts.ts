/** A duration above zero with its unit, such as `500ms`, `10s`, `2m` or `1h`. */
export type Time = `${number}${'ns' | 'us' | 'µs' | 'ms' | 's' | 'm' | 'min' | 'h'}`;

/** A duration above zero: a number of seconds, or a text with its unit. */
export type Duration = number | Time;

/** A margin after parsing: a share of A's time, or a time. */
export type Margin = number | { readonly ns: number };

/** A share or a confidence level: a fraction such as 0.01, or a text in percent such as `1%`. */
export type Share = number | `${number}%`;

/** An amount of memory: a number of bytes, or a text with a binary unit such as `512m` or `2g`. */
export type Memory = number | `${number}${'k' | 'm' | 'g' | 't'}${'' | 'b'}`;

/** The type of each kind of amount in a description of an experiment. */
export interface Amounts {
  readonly duration: unknown;
  readonly share: unknown;
  readonly margin: unknown;
  readonly memory: unknown;
  readonly warmup: unknown;
  readonly length: unknown;
}

/** Amounts as a person writes them. */
export interface Written {
  readonly duration: Duration;
  readonly share: Share;
  readonly margin: Share | Time;
  readonly memory: Memory;
  readonly warmup: Duration | 'first-half' | 'none';
  readonly length: Duration | `${number} or ${Duration}`;
}

/** Amounts after parsing: nanoseconds, fractions and bytes; those whose number counts iterations stay as they are written. */
export interface Parsed {
  readonly duration: number;
  readonly share: number;
  readonly margin: Margin;
  readonly memory: number;
  readonly warmup: number | string;
  readonly length: number | string;
}
