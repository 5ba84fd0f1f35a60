/** Whether only programs of this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether a request names this machine itself, and not a name that somebody made lead here. */
export const isLoopbackHeader = (header: string | undefined): boolean =>
  header !== undefined && isLoopback(header.toLowerCase().replace(/:\d+$/, ''));
