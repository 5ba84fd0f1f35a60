import { sides, type Side } from '@deadheat/model';
import { badValue } from 'deadheat/settings';

/** What a user calls the commits of the sides. */
export type TypedCommits = Readonly<Partial<Record<Side, string>>>;

const allowed = 'A=COMMIT, B=COMMIT or both: A=v1.2,B=HEAD';

/** Parser of `A=COMMIT,B=COMMIT`; either may be left out. */
export function parseCommits(flag: string): (value: string) => TypedCommits {
  return (value) => {
    const commits: Partial<Record<Side, string>> = {};
    let offset = 0;
    for (const part of value.split(',')) {
      const [, side = '', commit = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
      const known = sides.find((name) => name === side);
      if (known === undefined || commit.trim() === '' || commits[known] !== undefined) {
        throw badValue(flag, value, { allowed, offset });
      }
      commits[known] = commit;
      offset += part.length + 1;
    }
    return commits;
  };
}
