import { createHash, timingSafeEqual } from 'node:crypto';

/** What somebody may do: look at everything, or also cancel experiments of the fleet. */
export type Access = 'read' | 'write';

/** A token that opens the dashboard. */
export interface Token {
  readonly access: Access;
  /** SHA-256: what was typed is compared in constant time, and is in memory once only. */
  readonly digest: Buffer;
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What a secret opens; `null` = nothing. Looks at every token, whichever fits. */
export const accessOf = (secret: string, tokens: readonly Token[]): Access | null => {
  const digest = digestOf(secret);
  let access: Access | null = null;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest) && access !== 'write') access = token.access;
  return access;
};
