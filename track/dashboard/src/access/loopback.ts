/** Checks whether only programs of this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Checks whether a request's Host header names this machine itself, and not another name that was made to resolve to it (DNS
 * rebinding).
 */
export function isLoopbackHeader(header: string | undefined): boolean {
  return header !== undefined && isLoopback(header.toLowerCase().replace(/:\d+$/, ''));
}
