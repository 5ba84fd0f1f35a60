const longestSlug = 40;

/**
 * Default name of a recording's folder: UTC time to the second and a readable form of the experiment's name, such as
 * `20261121T093015Z-gzip-6-against-gzip-7`.
 *
 * @param startedAt ISO 8601.
 * @throws RangeError when `startedAt` is no time.
 */
export const recordingName = (startedAt: string, name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '');
  return `${utcStamp(new Date(startedAt))}-${slug === '' ? 'experiment' : slug}`;
};

/** UTC time to the second as it stands in folder names: `20261121T093015Z`; sorts as text. */
export const utcStamp = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
