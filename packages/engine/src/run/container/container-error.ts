import { DeadheatError, type Side } from '@deadheat/model';

export type ContainerErrorCode =
  /** There is no such program here, or its service does not answer. */
  | 'ENGINE_MISSING'
  /** It is here and could not do what it was asked for. */
  | 'ENGINE_FAILED'
  | 'IMAGE_MISSING';

/** Why containers cannot be run here; the message ends with what to do. */
export class ContainerError extends DeadheatError<ContainerErrorCode> {
  override readonly name = 'ContainerError';
  /** Whose container it is about; `null` = both, or neither. */
  readonly side: Side | null;

  constructor(
    code: ContainerErrorCode,
    message: string,
    { side = null, ...options }: ErrorOptions & { readonly side?: Side | null } = {},
  ) {
    super(code, message, options);
    this.side = side;
  }
}
