import type { Exports } from '../arguments/invocation.ts';

/** Where the report for people goes: to stderr when an export takes stdout, so that a pipe stays clean. */
export function reportStream(exports: Partial<Exports>): 'stdout' | 'stderr' {
  return Object.values(exports).includes('-') ? 'stderr' : 'stdout';
}
