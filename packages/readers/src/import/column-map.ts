/** What a column of a generic table may be. `time` is the one that is needed. */
export const columnRoles = ['time', 'run', 'benchmark', 'side', 'start', 'invocations'] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The name of the column, or of the key of JSON lines, that plays each role; a role that is not played is absent. */
export type ColumnMap = Readonly<Partial<Record<ColumnRole, string>>> & { readonly time: string };
