import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './read-text.ts';

/**
 * What lies between this process and the metal, as short names: a container (`docker`, `podman`, `kubernetes`, `lxc`,
 * ...), a virtual machine (`kvm`, `vmware`, `xen`, `hyper-v`, ..., `vm` when its maker is not told), or both joined by
 * `+`, such as `docker+kvm`. `null` = nothing seen, which does not prove that there is nothing.
 */
export function readVirtualization(root = '/'): string | null {
  const layers = [containerOf(root), virtualMachineOf(root)].filter((layer) => layer !== null);
  return layers.length === 0 ? null : layers.join('+');
}

function containerOf(root: string): string | null {
  const cgroup = readText(root, '/proc/self/cgroup') ?? '';
  if (/kubepods/.test(cgroup) || existsSync(join(root, '/var/run/secrets/kubernetes.io'))) return 'kubernetes';
  if (existsSync(join(root, '/run/.containerenv'))) return 'podman';
  if (existsSync(join(root, '/.dockerenv'))) return 'docker';
  // Written by container managers for systemd's ConditionVirtualization=.
  const told = readText(root, '/run/systemd/container');
  if (told !== null && /^[a-z0-9-]{1,32}$/.test(told)) return told;
  const named = /[/](docker|libpod|lxc)[-/.]/.exec(cgroup)?.[1];
  return named === 'libpod' ? 'podman' : (named ?? null);
}

/** What the firmware calls itself; the first match counts. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'virtualbox'],
  [/parallels/i, 'parallels'],
  [/apple virtualization/i, 'apple'],
  [/bhyve/i, 'bhyve'],
  [/microsoft corporation virtual machine/i, 'hyper-v'],
  [/\bxen\b/i, 'xen'],
  [/qemu|kvm|bochs|google compute engine|amazon ec2(?!.*\.metal)|openstack|digitalocean|hetzner vserver/i, 'kvm'],
];

function virtualMachineOf(root: string): string | null {
  if (/microsoft/i.test(readText(root, '/proc/sys/kernel/osrelease') ?? '')) return 'wsl';
  const flags = /^flags\s*:(.*)$/m.exec(readText(root, '/proc/cpuinfo') ?? '')?.[1];
  // x86 tells by a flag whether a hypervisor is there; without the flag the maker's name means real hardware.
  if (flags !== undefined && !/\bhypervisor\b/.test(flags)) return null;
  const type = readText(root, '/sys/hypervisor/type');
  if (type !== null) return type;
  const firmware = ['sys_vendor', 'product_name', 'board_vendor', 'bios_vendor']
    .map((name) => readText(root, `/sys/class/dmi/id/${name}`) ?? '')
    .join(' ');
  const maker = makers.find(([pattern]) => pattern.test(firmware))?.[1];
  if (maker !== undefined) return maker;
  return deviceTreeHypervisorOf(root) ?? (flags === undefined ? null : (paravirtualClockOf(root) ?? 'vm'));
}

function deviceTreeHypervisorOf(root: string): string | null {
  const compatible = readText(root, '/proc/device-tree/hypervisor/compatible');
  if (compatible === null) return null;
  return /kvm/.test(compatible) ? 'kvm' : /xen/.test(compatible) ? 'xen' : 'vm';
}

/** Small virtual machines have no firmware tables, but their clock sources name the hypervisor. */
function paravirtualClockOf(root: string): string | null {
  const clocks = readText(root, '/sys/devices/system/clocksource/clocksource0/available_clocksource') ?? '';
  return /kvm-clock/.test(clocks) ? 'kvm' : /hyperv/.test(clocks) ? 'hyper-v' : /\bxen\b/.test(clocks) ? 'xen' : null;
}
