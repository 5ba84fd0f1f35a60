import type { Exports } from '../arguments/invocation.ts';

/** Where the report for people goes: to stderr when an export takes stdout, so that a pipe stays clean. */
export function reportStream({ json, csv, markdown }: Exports): 'stdout' | 'stderr' {
  return [json, csv, markdown].includes('-') ? 'stderr' : 'stdout';
}
