import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HarnessError } from './harness-error.ts';

/**
 * A full garbage collection, whether or not Node was started with `--expose-gc`: a context made after the flag was set
 * has the function.
 *
 * @throws HarnessError `NO_GARBAGE_COLLECTION` where this Node has no such function
 */
export function garbageCollector(): () => void {
  const { gc } = globalThis;
  if (gc !== undefined) return () => gc();
  setFlagsFromString('--expose-gc');
  const exposed: unknown = runInNewContext('globalThis.gc');
  if (typeof exposed !== 'function') {
    throw new HarnessError('NO_GARBAGE_COLLECTION', 'the option gc needs a Node with --expose-gc; leave it out here');
  }
  return () => {
    exposed();
  };
}
