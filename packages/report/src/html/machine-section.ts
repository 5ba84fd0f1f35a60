import { quoteWord, type Host, type Machine, type Report } from '@deadheat/model';
import { printable } from '../text/printable.ts';
import { html, type Markup } from '../markup.ts';

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
    <dl class="facts">
      ${machineFacts({ machine, hosts }).map(
        ([label, text]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** The commands that analyse the same recording again and that measure again. */
export function againSection({ experiment, tool, hosts }: Report): Markup {
  const folder = quoteWord(printable(experiment.recording));
  const ofFiles = experiment.files !== undefined;
  return html`<section id="again" aria-labelledby="again-h">
    <h2 id="again-h">How to reproduce this</h2>
    <dl class="facts">
      ${
        ofFiles
          ? html`<div>
              <dt>files</dt>
              <dd>${(experiment.files ?? []).map((file) => printable(file)).join(', ')}</dd>
            </div>`
          : html`<div>
              <dt>recording</dt>
              <dd><code>${printable(experiment.recording)}</code></dd>
            </div>`
      }
      <div>
        <dt>seed</dt>
        <dd><code>${printable(experiment.seed)}</code> makes the same order, cores and resampling</dd>
      </div>
      ${
        ofFiles
          ? null
          : html`<div>
              <dt>judge again</dt>
              <dd><code>deadheat analyse ${folder}</code></dd>
            </div>`
      }
      ${
        experiment.complete || ofFiles
          ? null
          : html`<div>
              <dt>incomplete</dt>
              <dd>
                planned runs are
                missing${hosts === undefined ? html`; <code>deadheat --resume ${folder}</code> makes them` : null}
              </dd>
            </div>`
      }
      ${
        ofFiles
          ? null
          : html`<div>
              <dt>settings</dt>
              <dd>every setting stands in <code>experiment.json</code> of the recording</dd>
            </div>`
      }
      <div>
        <dt>measured by</dt>
        <dd>${printable(tool.name)} ${printable(tool.version)}, experiment ${printable(experiment.id)}</dd>
      </div>
    </dl>
  </section>`;
}

function machineFacts({
  machine,
  hosts,
}: { readonly machine: Machine } & Pick<Report, 'hosts'>): readonly (readonly [string, string])[] {
  function known(text: string | number | boolean | null): string {
    return text === null ? 'not told' : typeof text === 'boolean' ? (text ? 'on' : 'off') : printable(String(text));
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
