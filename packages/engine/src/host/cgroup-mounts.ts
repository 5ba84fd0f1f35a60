import { readText } from './read-text.ts';

/** A mounted hierarchy of control groups. */
export interface CgroupMount {
  readonly version: 1 | 2;
  /** The group that the mount point shows, as seen from this process's cgroup namespace. */
  readonly group: string;
  readonly mountPoint: string;
  /** Controllers of a v1 hierarchy; empty for v2, whose controllers are told by its files. */
  readonly controllers: readonly string[];
}

/** The control-group hierarchies of `/proc/self/mountinfo` (format: proc(5)); empty when there are none. */
export function readCgroupMounts(root = '/'): readonly CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of (readText(root, '/proc/self/mountinfo') ?? '').split('\n')) {
    const [before, after] = line.split(' - ');
    const [, , , group, mountPoint] = (before ?? '').split(' ');
    const [type, , options] = (after ?? '').split(' ');
    if (group === undefined || mountPoint === undefined) continue;
    const place = { group: unescaped(group), mountPoint: unescaped(mountPoint) };
    if (type === 'cgroup2') mounts.push({ version: 2, ...place, controllers: [] });
    if (type === 'cgroup') mounts.push({ version: 1, ...place, controllers: (options ?? '').split(',') });
  }
  return mounts;
}

/** mountinfo writes space, tab, newline and backslash as `\040`, `\011`, `\012`, `\134`. */
function unescaped(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}
