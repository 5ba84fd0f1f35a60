/**
 * To be preloaded into Node (`--import`): in an experiment, `tinybench`, `mitata` and vitest are replaced by what takes part in it,
 * in files as they are.
 */
import * as module from 'node:module';
import { takingPart } from '../session.ts';
import { resolve } from './resolve.ts';

/** In the thread itself, from Node 22.15 on. */
const { registerHooks } = module as { readonly registerHooks?: (hooks: { readonly resolve: typeof resolve }) => void };

if (takingPart()) {
  if (registerHooks === undefined) module.register(new URL('resolve.js', import.meta.url));
  else registerHooks({ resolve });
}
