import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Libc } from '../libc.ts';

/*
 * A child that is started by posix_spawn shares the memory of its parent until it executes its program, and the kernel keeps the largest
 * resident set that a process ever had, over `execve`: the peak of a small program would be that of the launcher, which is Node. The small
 * starter is a program of 125 bytes between the two. It makes the process of the program a child of the launcher, and ends: what the program
 * inherits is the peak of the starter, less than 100 kB.
 */

/** Descriptor under which the starter finds the file for its result. */
export const starterResult = 200;

/**
 * Machine code of x86-64:
 *
 *     _start: clone(CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD)
 *             in the child:  close(200); execve(argv[0], argv, environment); keep the error; exit(127)
 *             in the parent: pwrite(200, { int32 error of execve, int32 result of clone }, 8, 0); exit_group(0)
 *
 * The child shares memory and stack with the starter, which sleeps until the child has executed its program or ended.
 */
const code = Buffer.from(
  '31f631d24531d24531c0' + // xor esi, esi; xor edx, edx; xor r10d, r10d; xor r8d, r8d
    '48c74424f000000000' + // mov qword [rsp-16], 0
    'bf11c10000b8380000000f05' + // mov edi, 0xc111; mov eax, 56 (clone); syscall
    '85c07536' + // test eax, eax; jnz parent
    'bfc8000000b8030000000f05' + // mov edi, 200; mov eax, 3 (close); syscall
    '488b7c2408488d742408' + // mov rdi, [rsp+8]; lea rsi, [rsp+8]
    '488b0424488d54c410' + // mov rax, [rsp]; lea rdx, [rsp+rax*8+16]
    'b83b0000000f05' + // mov eax, 59 (execve); syscall
    '894424f0' + // mov [rsp-16], eax
    'bf7f000000b83c0000000f05' + // mov edi, 127; mov eax, 60 (exit); syscall
    '894424f4' + // parent: mov [rsp-12], eax
    'bfc8000000488d7424f0ba08000000' + // mov edi, 200; lea rsi, [rsp-16]; mov edx, 8
    '4531d2b8120000000f05' + // xor r10d, r10d; mov eax, 18 (pwrite64); syscall
    '31ffb8e70000000f05', // xor edi, edi; mov eax, 231 (exit_group); syscall
  'hex',
);

const loadAddress = 0x40_0000;
const headerBytes = 64 + 2 * 56;

/** The starter as an ELF file: one segment for all of it, and a mark that its stack is not executable (elf(5)). */
function elfFile(): Buffer {
  const file = Buffer.alloc(headerBytes + code.length);
  file.write('\x7fELF\x02\x01\x01', 'latin1'); // 64 bits, little endian, version 1
  file.writeUInt16LE(2, 16); // ET_EXEC
  file.writeUInt16LE(62, 18); // EM_X86_64
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(loadAddress + headerBytes), 24); // entry
  file.writeBigUInt64LE(64n, 32); // program headers
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(2, 56);
  file.writeUInt32LE(1, 64); // PT_LOAD
  file.writeUInt32LE(5, 68); // readable, executable
  file.writeBigUInt64LE(BigInt(loadAddress), 80);
  file.writeBigUInt64LE(BigInt(loadAddress), 88);
  file.writeBigUInt64LE(BigInt(file.length), 96);
  file.writeBigUInt64LE(BigInt(file.length), 104);
  file.writeBigUInt64LE(0x1000n, 112);
  file.writeUInt32LE(0x6474_e551, 120); // PT_GNU_STACK
  file.writeUInt32LE(6, 124);
  code.copy(file, headerBytes);
  return file;
}

/** Starts programs with next to no memory of their own; for one launcher. */
export class SmallStarter {
  /** Path of the starter, for posix_spawn. */
  readonly path: bigint;
  /** The file for its result. */
  readonly result: number;
  readonly #bytes = Buffer.alloc(8);

  private constructor(libc: Libc, { file, result }: { readonly file: number; readonly result: number }) {
    const path = Buffer.from(`/proc/self/fd/${file}\0`, 'latin1');
    this.path = BigInt(libc.koffi.alloc('uint8_t', path.length));
    new Uint8Array(libc.koffi.view(this.path, path.length)).set(path);
    this.result = result;
  }

  /** @returns `null` where there is none: on other processors than x86-64, and without files in memory. */
  static make(libc: Libc): SmallStarter | null {
    if (process.arch !== 'x64') return null;
    const closeOnExec = 1;
    const written = libc.memfd_create('deadheat-starter', closeOnExec);
    const result = libc.memfd_create('deadheat-started', closeOnExec);
    if (written < 0 || result < 0) return null;
    try {
      writeSync(written, elfFile());
      const file = openSync(`/proc/self/fd/${written}`, 'r');
      // A file that is open for writing cannot be executed.
      closeSync(written);
      return new SmallStarter(libc, { file, result });
    } catch {
      return null;
    }
  }

  /** The starter's last answer: the process of the program, or the number of the error for which there is none. */
  read(): { readonly pid: number } | { readonly error: number } {
    if (readSync(this.result, this.#bytes, 0, 8, 0) < 8) return { error: 0 };
    const [ofProgram, ofClone] = [this.#bytes.readInt32LE(0), this.#bytes.readInt32LE(4)];
    if (ofClone < 0) return { error: -ofClone };
    return ofProgram < 0 ? { error: -ofProgram } : { pid: ofClone };
  }
}
