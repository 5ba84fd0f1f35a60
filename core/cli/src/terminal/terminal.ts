/** Surroundings of the command: its streams and environment. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The terminal for an action whose connections may be as the option says. */
export function withPlaintext({ allowPlaintext }: { readonly allowPlaintext: boolean }, terminal: Terminal): Terminal {
  if (!allowPlaintext) return terminal;
  const { stdout, stderr, env } = terminal;
  return { stdout, stderr, env: { ...env, DEADHEAT_ALLOW_PLAINTEXT: '1' } };
}
