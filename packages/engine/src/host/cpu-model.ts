import { cpus } from 'node:os';
import { readText } from './read-text.ts';

/**
 * The processor's name. Linux on ARM tells only the numbers of designer and part, which are given as they are
 * (`implementer 0x41 part 0xd0c`). `null` when nothing is told.
 */
export function readCpuModel(root = '/'): string | null {
  const cpuinfo = readText(root, '/proc/cpuinfo');
  if (cpuinfo !== null) {
    // The key differs by architecture: x86 and LoongArch, PowerPC, RISC-V.
    const name = field(cpuinfo, 'model name') ?? field(cpuinfo, 'cpu') ?? field(cpuinfo, 'uarch');
    if (name !== null) return name;
    const implementer = field(cpuinfo, 'CPU implementer');
    const part = field(cpuinfo, 'CPU part');
    if (implementer !== null && part !== null) return `implementer ${implementer} part ${part}`;
  }
  const model = cpus()[0]?.model.trim();
  return model === undefined || model === '' || model === 'unknown' ? null : model;
}

function field(cpuinfo: string, key: string): string | null {
  const match = new RegExp(`^${key}\\s*:\\s*(\\S.*)$`, 'im').exec(cpuinfo);
  return match?.[1]?.trim() ?? null;
}
