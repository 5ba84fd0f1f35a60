import { describe, expect, it } from 'vitest';
import { readVirtualization } from '../../src/host/read-machine.ts';
import { fakeTree, type Files } from './fake-tree.ts';

const guest: Files = { '/proc/cpuinfo': 'flags\t\t: fpu hypervisor\n' };
const metal: Files = { '/proc/cpuinfo': 'flags\t\t: fpu\n' };
const arm: Files = { '/proc/cpuinfo': 'Features\t: fp asimd\n' };
const dmi = (name: string, text: string): Files => ({ [`/sys/class/dmi/id/${name}`]: `${text}\n` });
const clocks = (text: string): Files => ({
  '/sys/devices/system/clocksource/clocksource0/available_clocksource': `${text}\n`,
});

describe('virtualization', () => {
  it.each<readonly [string | null, string, readonly Files[]]>([
    [null, 'real hardware', [metal, dmi('sys_vendor', 'Example Computers')]],
    [null, 'real hardware rented from a cloud', [metal, dmi('sys_vendor', 'Amazon EC2')]],
    [
      null,
      'ARM hardware rented from a cloud',
      [arm, dmi('sys_vendor', 'Amazon EC2'), dmi('product_name', 'm6g.metal')],
    ],
    ['kvm', 'an ARM guest', [arm, dmi('sys_vendor', 'Amazon EC2'), dmi('product_name', 'm6g.large')]],
    ['kvm', 'a QEMU guest', [guest, dmi('sys_vendor', 'QEMU')]],
    ['vmware', 'a VMware guest', [guest, dmi('sys_vendor', 'VMware, Inc.')]],
    ['virtualbox', 'a VirtualBox guest', [guest, dmi('product_name', 'VirtualBox')]],
    [
      'hyper-v',
      'a Hyper-V guest',
      [guest, dmi('sys_vendor', 'Microsoft Corporation'), dmi('product_name', 'Virtual Machine')],
    ],
    ['xen', 'a Xen guest', [guest, { '/sys/hypervisor/type': 'xen\n' }]],
    ['kvm', 'a guest without firmware tables but with a kvm clock', [guest, clocks('tsc kvm-clock')]],
    ['kvm', 'an ARM guest with a device tree', [arm, { '/proc/device-tree/hypervisor/compatible': 'linux,kvm\0' }]],
    ['vm', 'a guest of an unknown hypervisor', [guest]],
    ['wsl', 'Windows', [guest, { '/proc/sys/kernel/osrelease': '5.15.90.1-microsoft-standard-WSL2\n' }]],
    ['docker', 'a docker container on hardware', [metal, { '/.dockerenv': '' }]],
    ['podman', 'a podman container', [metal, { '/run/.containerenv': '' }]],
    ['lxc', 'a container of a system manager', [metal, { '/run/systemd/container': 'lxc\n' }]],
    ['docker', 'a container that only its group tells', [metal, { '/proc/self/cgroup': '1:cpu:/docker/abc\n' }]],
    ['kubernetes', 'a pod', [metal, { '/.dockerenv': '', '/proc/self/cgroup': '0::/kubepods/pod1/x\n' }]],
    ['docker+kvm', 'a container in a virtual machine', [guest, clocks('tsc kvm-clock'), { '/.dockerenv': '' }]],
    [null, 'a system without /proc', []],
  ])('is %j for %s', (name, _, layers) => {
    expect(readVirtualization(fakeTree(...layers))).toBe(name);
  });
});
