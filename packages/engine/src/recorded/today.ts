/** The day now, YYYY-MM-DD, UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
