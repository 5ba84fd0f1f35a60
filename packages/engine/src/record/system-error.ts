/** Stable code of an error of the operating system, such as `ENOSPC`; `null` for any other error. */
export const systemErrorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error ? error.code : null;

/** Whether an error is one of the operating system with one of these codes. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): boolean => {
  const code = systemErrorCode(error);
  return code !== null && codes.includes(code);
};
