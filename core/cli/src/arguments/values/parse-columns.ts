import { columnRoles, type ColumnMap, type ColumnRole } from '@deadheat/readers';
import { badValue } from 'deadheat/settings';

/** Parser of `time=COLUMN,run=COLUMN,...`: which column of a table is what. */
export function parseColumns(flag: string): (value: string) => ColumnMap {
  return (value) => {
    const map: Partial<Record<ColumnRole, string>> = {};
    const allowed = `ROLE=COLUMN with commas between; the roles are ${columnRoles.join(', ')}`;
    let offset = 0;
    for (const part of value.split(',')) {
      const at = part.indexOf('=');
      const role = columnRoles.find((one) => one === part.slice(0, at).trim());
      const column = part.slice(at + 1).trim();
      if (at === -1 || role === undefined || column === '' || map[role] !== undefined) {
        throw badValue(flag, value, { allowed, offset });
      }
      map[role] = column;
      offset += part.length + 1;
    }
    const { time } = map;
    if (time === undefined) throw badValue(flag, value, { allowed, hint: 'One of them must be time=COLUMN.' });
    return { ...map, time };
  };
}
