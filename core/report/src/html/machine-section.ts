import { quoteWord, type Host, type Machine, type Report } from '@deadheat/model';
import { printable } from '../text/printable.ts';
import { html, type Markup } from '../markup.ts';
import { facts } from './tables.ts';

const gibibyte = 2 ** 30;

function hostText({ id, machine, labels, confirms }: Host): string {
  const said = Object.entries(labels).map(([name, value]) => `${printable(name)} = ${printable(value)}`);
  const facts = [...(machine.cpuModel === null ? [] : [printable(machine.cpuModel)]), ...said];
  const role = confirms === true ? ', which confirms' : '';
  return `${printable(id)}${role}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** Facts of the machine that a reader needs to judge a result; `null` where it is not known. */
export function machineSection({ machine, hosts }: Pick<Report, 'machine' | 'hosts'>): Markup | null {
  if (machine === null) return null;
  return html`<section id="machine" aria-labelledby="machine-h">
    <h2 id="machine-h">Machine</h2>
    ${facts(machineFacts({ machine, hosts }))}
  </section>`;
}

/** The commands that analyse the same recording again and that measure again. */
export function againSection({ experiment, tool, hosts }: Report): Markup {
  const { recording, files, seed, complete, id } = experiment;
  const folder = quoteWord(printable(recording));
  const resume = hosts === undefined ? html`; <code>deadheat --resume ${folder}</code> makes them` : null;
  const seeded = ['seed', html`<code>${printable(seed)}</code> makes the same order, cores and resampling`] as const;
  const list =
    files === undefined
      ? ([
          ['recording', html`<code>${printable(recording)}</code>`],
          seeded,
          ['judge again', html`<code>deadheat analyse ${folder}</code>`],
          ...(complete ? [] : [['incomplete', html`planned runs are missing${resume}`] as const]),
          ['settings', html`every setting stands in <code>experiment.json</code> of the recording`],
        ] as const)
      : ([['files', files.map((file) => printable(file)).join(', ')], seeded] as const);
  const by = `${printable(tool.name)} ${printable(tool.version)}, experiment ${printable(id)}`;
  return html`<section id="again" aria-labelledby="again-h">
    <h2 id="again-h">How to reproduce this</h2>
    ${facts([...list, ['measured by', by]])}
  </section>`;
}

function machineFacts({
  machine,
  hosts,
}: { readonly machine: Machine } & Pick<Report, 'hosts'>): readonly (readonly [string, string])[] {
  function known(text: string | number | boolean | null): string {
    return text === null ? 'unknown' : typeof text === 'boolean' ? (text ? 'on' : 'off') : printable(String(text));
  }

  const siblings = Object.entries(machine.smtSiblings).filter(([, group]) => group.length > 1);
  return [
    ...(hosts === undefined ? [] : [['hosts', hosts.map((host) => hostText(host)).join('; ')] as const]),
    [
      hosts === undefined ? 'host' : 'the first',
      `${known(machine.hostname)}, ${known(machine.platform)} ${known(machine.kernel)}`,
    ],
    ['processor', known(machine.cpuModel)],
    ['CPUs', `${machine.onlineCpus} online; usable: ${machine.usableCpus.join(', ')}`],
    [
      'SMT',
      `${known(machine.smtActive)}${siblings.length === 0 ? '' : `; CPUs that share a core: ${siblings.map(([, group]) => group.join('+')).join(', ')}`}`,
    ],
    ['governor', known(machine.governor)],
    ['turbo', known(machine.turbo)],
    ['ASLR', known(machine.aslr)],
    ['clock', known(machine.clockSource)],
    ['virtualization', machine.virtualization === null ? 'none seen' : known(machine.virtualization)],
    [
      'memory',
      `${(machine.memoryTotalBytes / gibibyte).toFixed(1)} GiB${machine.memoryAvailableBytes === null ? '' : `, ${(machine.memoryAvailableBytes / gibibyte).toFixed(1)} GiB free at the start`}`,
    ],
    ['CPU quota', machine.cpuQuota === null ? 'none' : `${machine.cpuQuota} CPUs`],
    ['control groups', known(machine.cgroupVersion)],
    ['load at the start', machine.load1.toFixed(2)],
    ['Node', known(machine.node)],
  ];
}
