import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What browsers are told of every answer: nothing of others is loaded, framed or guessed, and nothing is kept by proxies. */
export const secureHeaders: MiddlewareHandler = createMiddleware(async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries({
    'content-security-policy': policy,
    'cache-control': 'private, no-cache',
  })) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-frame-options', 'DENY');
  headers.set('referrer-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
});
