import type { Warning } from '@deadheat/model';
import { fewestHosts } from '../hosts/over-hosts.ts';

/** FEW_HOSTS, where several machines are too few to speak for others. */
export const fewHosts = (hosts: readonly unknown[] | null): Warning[] => {
  if (hosts === null || hosts.length >= fewestHosts) return [];
  return [
    {
      code: 'FEW_HOSTS',
      message:
        `only ${hosts.length} hosts: the interval is over runs and holds for these machines, not for others like them; ` +
        `give it ${fewestHosts} hosts or more`,
    },
  ];
};
