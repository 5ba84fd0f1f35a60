import { DeadheatError } from './error.ts';

/**
 * Packages of npm that are not installed with deadheat, by what needs them, with the versions that fit. The optional peers in
 * `core/deadheat/package.json` are the same.
 */
export const optionalPackages = {
  /** Histories and fleets in PostgreSQL. */
  database: { pg: '^8.23.1', 'pg-copy-streams': '^7.0.0' },
  /** The dashboard. */
  dashboard: { hono: '^4.13.19', '@hono/node-server': '^2.1.8' },
} as const;

/** What needs packages that are not installed with deadheat. */
export type OptionalFeature = keyof typeof optionalPackages;

const users: Readonly<Record<OptionalFeature, string>> = {
  database: 'A history or a fleet in PostgreSQL',
  dashboard: 'The dashboard',
};

/**
 * Loads modules that import packages of a feature.
 *
 * @throws DeadheatError `PACKAGE_MISSING`, with the command that installs all of them, where one is absent; else what `load` throws
 */
export async function loadOptional<Module>(feature: OptionalFeature, load: () => Promise<Module>): Promise<Module> {
  const packages = Object.entries(optionalPackages[feature]);
  try {
    return await load();
  } catch (error) {
    const absent = packages.find(([name]) => isAbsence(error, name));
    if (absent === undefined) throw error;
    const wanted = packages.map(([name, range]) => `'${name}@${range}'`).join(' ');
    throw new DeadheatError(
      'PACKAGE_MISSING',
      `${users[feature]} needs the package ${absent[0]}, which is not installed with deadheat.`,
      {
        hint: `Install what is needed where deadheat is installed (with -g if it is global): npm install ${wanted}`,
        cause: error,
      },
    );
  }
}

/** Whether this is Node's error for the import of a package that is absent; nothing but its message names the package. */
function isAbsence(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return false;
  return error.message.includes(`'${name}'`);
}
