/** One call of a class that failed, and what the next start made of it; `wrong` is empty where all is well. */
export interface Fault {
  readonly at: number;
  readonly status: number | string;
  readonly hits: number;
  readonly log: string;
  readonly next: number | string;
  readonly nextLog: string;
  readonly wrong: readonly string[];
}

export interface SweepOptions {
  readonly work: string;
  readonly call: string;
  readonly error: string;
  readonly isOn: boolean;
  readonly library: string;
  readonly command?: readonly string[];
}

export declare function buildFaults(folder: string): string | null;

export declare const workNames: readonly string[];

export declare class Sweep {
  constructor(options: SweepOptions);
  get name(): string;
  static count(
    work: string,
    options: Pick<SweepOptions, 'library' | 'command'>,
  ): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly state: string }>;
  fault(at: number, expected: string): Promise<Fault>;
}
