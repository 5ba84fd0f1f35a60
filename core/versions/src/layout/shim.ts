/**
 * Stands in front of a compiler, a linker or `go` while a layout is built, and executes it with other arguments: object files in another
 * order, an object of padding first, functions apart by padding. A program of its own, which imports nothing of deadheat:
 * `node shim.js TOOL FOLDER SEED ARGUMENTS...`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

const [tool = '', folder = '', seed = '', ...given] = process.argv.slice(2);
const wrappers = join(folder, 'bin');
const path = (process.env['PATH'] ?? '').split(delimiter).filter((place) => place !== wrappers);

/** A number in [0, below) that the seed and a purpose alone decide. */
function drawn(purpose: string, below: number): number {
  return createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32LE(0) % below;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

interface Outcome {
  readonly status: number;
  readonly stderr: Buffer;
}

/** Executes the tool; `quiet` keeps back what it says to standard error. */
function execute(program: string, words: readonly string[], { quiet = false, input }: Execution = {}): Outcome {
  const { status, signal, stderr, error } = spawnSync(program, words, {
    env: { ...process.env, ...goFlags(program), PATH: path.join(delimiter) },
    stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', quiet ? 'pipe' : 'inherit'],
    ...(input === undefined ? {} : { input }),
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) process.stderr.write(`${tool}: ${error.message}\n`);
  if (signal !== null) process.kill(process.pid, signal);
  return { status: status ?? 1, stderr: stderr ?? Buffer.alloc(0) };
}

interface Execution {
  readonly quiet?: boolean;
  readonly input?: string;
}

/** Options of compilers and linkers whose value is the next word. */
const takesValue =
  /^-(?:[oILDUTuezlxhRmABb]|MF|MT|MQ|-defsym|isystem|include|imacros|idirafter|iquote|isysroot|iprefix|X(?:linker|assembler|preprocessor|clang)|target|arch|wrapper|dumpbase|aux-info|-param|rpath|soname|rpath-link)$/;
const compilesOnly =
  /^(?:-[cSE]|-MM?|-r|-T.*|-fsyntax-only|-###|-nostdlib|-nostartfiles|-ffreestanding|-dump.*|-print-.*|--version|-Wl,(?:-r|-T).*)$/;
const objectName = /\.(?:o|obj|lo)$/;
const sourceName = /\.(?:c|cc|cpp|cxx|c\+\+|C|m|f90|f)$/;

/** Words with files of object code, or of sources, in an order of the seed; every other word stays in its place. */
function shuffled(words: readonly string[]): readonly string[] {
  const ofOneLanguage = !words.some((word) => word.startsWith('-x'));
  const places = words.flatMap((word, at) => {
    const isValue = takesValue.test(words[at - 1] ?? '');
    const isMoved = objectName.test(word) || (ofOneLanguage && sourceName.test(word));
    return isValue || !isMoved || word.startsWith('-') || basename(word).startsWith('crt') ? [] : [at];
  });
  const names = places.map((at) => words[at] ?? '');
  for (let last = names.length - 1; last > 0; last--) {
    const other = drawn(`order ${last}`, last + 1);
    [names[last], names[other]] = [names[other] ?? '', names[last] ?? ''];
  }
  const moved = [...words];
  for (const [index, at] of places.entries()) moved[at] = names[index] ?? '';
  return moved;
}

/** Words with those of response files in their place, where these are plain. */
function expanded(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!word.startsWith('@')) return [word];
    try {
      const text = readFileSync(word.slice(1), 'utf8');
      return /["'\\]/.test(text) ? [word] : text.split(/\s+/).filter((one) => one !== '');
    } catch {
      return [word];
    }
  });
}

/** An assembler file that moves code and data of what is linked behind it: by up to a page, in steps that keep alignments. */
function padding(): string {
  const file = join(folder, 'padding.s');
  if (existsSync(file)) return file;
  const spaces = [
    ['.text', 'axR', 'progbits'],
    ['.rodata', 'aR', 'progbits'],
    ['.data', 'awR', 'progbits'],
    ['.bss', 'awR', 'nobits'],
  ].map(([name = '', flags = '', type = '']) => {
    const bytes = 16 * (1 + drawn(name, 256));
    return `\t.section ${name},"${flags}",%${type}\n\t.balign 16\n\t.skip ${bytes}\n`;
  });
  // Programs may be linked at the same time.
  writeFileSync(`${file}.${process.pid}`, `${spaces.join('')}\t.section .note.GNU-stack,"",%progbits\n`);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** Additions for a linker that knows orders of sections by itself. */
function linkerOptions(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /^-fuse-ld=(?:\/.*\/)?(?:ld\.)?lld$/.test(word))) return [];
  return ['.text*', '.rodata*'].map((glob) => `-Wl,--shuffle-sections=${glob}=${1 + drawn(glob, 1e9)}`);
}

/** Compiles as asked, with padding between functions; links with files in another order, and as asked where that fails. */
function compile(program: string): number {
  const words = expanded(given);
  const isLinking =
    !words.some((word) => compilesOnly.test(word) || word === '-') &&
    words.some((word) => !word.startsWith('-')) &&
    words.length > 1;
  const own = ['-B', join(folder, 'as'), ...(tool.startsWith('clang') ? ['-ffunction-sections'] : [])];
  if (!isLinking) return execute(program, words.includes('-c') ? [...own, ...given] : given).status;
  return attempt(program, [padding(), ...own, ...shuffled(words), ...linkerOptions(words)]);
}

/** Executes the tool with other words, and as asked where that fails, so that a build fails as it does without. */
function attempt(program: string, changed: readonly string[]): number {
  const { status, stderr } = execute(program, changed, { quiet: true });
  if (status !== 0) return execute(program, given).status;
  process.stderr.write(stderr);
  return 0;
}

function link(program: string): number {
  const words = expanded(given);
  const isPlain = !words.some((word) => /^(?:-r|-T|--relocatable|--script.*|--version|-v|-V)$/.test(word));
  return isPlain ? attempt(program, shuffled(words)) : execute(program, given).status;
}

/** Steps of padding between functions: every place in a cache line at which a function may begin. */
const steps = 4;

/**
 * The output of a compiler with padding before functions. Assembly by hand, in a file or between `#APP` and `#NO_APP`, is left alone, since it may count on
 * its places.
 */
function padFunctions(text: string): string {
  if (!/^\t\.ident\t"GCC/m.test(text)) return text;
  let isByHand = false;
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      if (line.startsWith('#APP')) isByHand = true;
      if (line.startsWith('#NO_APP')) isByHand = false;
      const name = /^\t\.type\t(\S+), [@%]function$/.exec(line)?.[1];
      const bytes = isByHand || name === undefined || lines[at + 1] !== `${name}:` ? 0 : 16 * drawn(name, steps);
      return bytes === 0 ? line : `${line}\n\t.skip\t${bytes}`;
    })
    .join('\n');
}

/** The compiler names the file that it wrote, or writes to standard input with `-pipe`. */
function assemble(program: string): number {
  const at = given.findLastIndex((word, place) => !word.startsWith('-') && !takesValue.test(given[place - 1] ?? ''));
  const file = at === -1 ? undefined : given[at];
  const text = readFileSync(file ?? 0, 'utf8');
  const padded = padFunctions(text);
  if (file === undefined || padded === text) {
    return execute(program, given, file === undefined ? { input: padded } : {}).status;
  }
  const { status } = execute(program, [...given.slice(0, at), ...given.slice(at + 1), '-'], { input: padded });
  return status === 0 ? 0 : execute(program, given).status;
}

/** `-randlayout` for a toolchain of Go whose linker knows it, beside the user's own flags. */
function goFlags(program: string): Readonly<Record<string, string>> {
  if (tool !== 'go' || !['build', 'install', 'run', 'test'].includes(given[0] ?? '')) return {};
  const own = process.env['GOFLAGS'] ?? '';
  if (own.includes('-ldflags')) return {};
  const help = spawnSync(program, ['tool', 'link', '-help'], { encoding: 'utf8' });
  if (!`${help.stdout}${help.stderr}`.includes('randlayout')) return {};
  return { GOFLAGS: `${own} -ldflags=-randlayout=${1 + drawn('go', 1e9)}`.trim() };
}

const kinds: Readonly<Record<string, (program: string) => number>> = {
  as: assemble,
  ld: link,
  'ld.lld': link,
  go: (program) => execute(program, given).status,
};

const real = path.map((place) => join(place, tool)).find(isExecutable);
if (real === undefined) process.stderr.write(`${tool}: not found in PATH\n`);
process.exitCode = real === undefined ? 127 : (kinds[tool] ?? compile)(real);
