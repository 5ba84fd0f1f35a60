import { DeadheatError } from '@deadheat/model';

/** Why the CPUs that the user named cannot be taken. */
export type CpuErrorCode = 'CPU_COUNT' | 'CPU_TWICE' | 'CPU_NOT_FOUND' | 'CPU_NOT_USABLE';

/** The CPUs given with `--cpus` cannot be used: a mistake in the usage, exit code 2. */
export class CpuError extends DeadheatError<CpuErrorCode> {
  override readonly name = 'CpuError';
  /** The flag to change. */
  readonly flag = '--cpus';
  /** What was asked for. */
  readonly requested: readonly number[];
  /** What could be asked for. */
  readonly usableCpus: readonly number[];

  constructor(
    code: CpuErrorCode,
    message: string,
    data: { readonly requested: readonly number[]; readonly usableCpus: readonly number[] },
  ) {
    super(code, message);
    this.requested = data.requested;
    this.usableCpus = data.usableCpus;
  }
}
