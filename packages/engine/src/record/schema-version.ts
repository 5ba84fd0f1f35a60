import { RecordError } from './record-error.ts';

/**
 * Major version in a schema name such as `deadheat.experiment/1`; `null` when the value is no schema of that name.
 *
 * @throws RecordError `NEWER_VERSION` when it is above the newest that this version of the tool reads.
 */
export const supportedMajor = (
  schema: unknown,
  { path, name, supported }: { readonly path: string; readonly name: string; readonly supported: number },
): number | null => {
  if (typeof schema !== 'string' || !schema.startsWith(`${name}/`)) return null;
  const [version] = /^\d+/.exec(schema.slice(name.length + 1)) ?? [];
  if (version === undefined) return null;
  const found = Number(version);
  if (found > supported) {
    throw new RecordError(
      'NEWER_VERSION',
      `${path} has version ${found} of ${name}; this deadheat reads up to version ${supported}. Update deadheat to ` +
        `read it.`,
      { path, versions: { found, supported } },
    );
  }
  return found;
};
