import { userInfo } from 'node:os';
import {
  type Command,
  defineCommand,
  exitCodes,
  group,
  option,
  resolveTerminalStyle,
  several,
  styleOptions,
  text,
  withInterruption,
} from '@deadheat/cli/kit';
import { countOf, renderStudy } from '@deadheat/report';
import { replayBundle } from './replay.ts';
import { writeArchive } from './write-archive.ts';

/** `deadheat lab archive`: recordings with all that a reader needs to measure them again. */
export const archive: Command = defineCommand({
  description:
    'Writes recordings into one folder that a paper can publish: the recordings, hashes of their programs, machine and versions, figures as SVG, tables as CSV and LaTeX (booktabs), CITATION.cff, RO-Crate metadata and checksums. The name of the folder comes from its content. Hashes are those of the recording; libraries, and the programs of recordings without hashes, are hashed as they are now.',
  usage: '[options] RECORDING...',
  args: { '<recordings...>': 'folders of recordings' },
  options: group('Output:', {
    output: option('--output <DIR>', {
      help: 'folder in which the bundle is made',
      parse: text('a folder'),
      default: '.',
    }),
    title: option('--title <TEXT>', {
      help: 'title of the measurements',
      parse: text('a text'),
      fallback: 'the names of the recordings',
    }),
    author: several('--author <NAME>', {
      help: "an author, 'Family name, given names', once for each",
      parse: text('a name'),
    }),
  }),
  act: async ({ output, title, author }, { recordings }, { stdout, stderr }) => {
    const {
      folder,
      recordings: archived,
      unknown,
    } = await writeArchive(recordings, {
      output,
      title: title ?? `Measurements of ${recordings.join(', ')}`,
      authors: author.length === 0 ? [userInfo().username] : author,
    });
    for (const { path, missing } of unknown) stderr.write(`not hashed: ${path}: ${missing}\n`);
    const files = archived.reduce((sum, { programs }) => sum + programs.length, 0);
    stdout.write(
      `${folder}\n${countOf(archived.length, 'recording')}, ${countOf(files, 'file')} of programs; deadheat lab replay ${folder} measures them again\n`,
    );
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat lab archive --author 'Doe, Jane' --title 'Sorting twice' .deadheat/*
      write all recordings of this folder as one bundle

  tar czf bundle.tar.gz bundle-*
      pack it`,
});

/** `deadheat lab replay`: a bundle measured again, here. */
export const replay: Command = defineCommand({
  description:
    'Measures the recordings of a bundle again on this machine, by their configurations and seeds, and shows both results side by side. The checksums of the bundle are compared first; programs that are missing or differ here are named by their hashes.',
  usage: '[options] BUNDLE',
  args: { '<bundle>': 'the folder that deadheat lab archive wrote' },
  options: {
    ...group('Output:', {
      output: option('--output <DIR>', {
        help: 'folder in which the new recordings are stored',
        parse: text('a folder'),
        default: 'replayed',
      }),
      beside: several('--beside <DIR>', {
        help: 'folder in which deadheat lab replay of another machine stored its recordings of this bundle; from three machines on, with the bundle and this one, the mean ratio over machines is shown; may be repeated',
        parse: text('a folder'),
      }),
    }),
    ...styleOptions,
  },
  act: async ({ output, beside, style: choice }, { bundle }, terminal) => {
    const { stdout, stderr, env } = terminal;
    const onNotice = (notice: string): void => void stderr.write(`${notice}\n`);
    const { tables } = await withInterruption(async (signal) =>
      replayBundle(bundle, { output, beside, signal, onNotice }),
    );
    stdout.write(renderStudy({ tables }, resolveTerminalStyle(choice, { stream: stdout, variables: env })));
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat lab replay bundle-0123456789abcdef
      measure a bundle again, and see both results

  deadheat lab replay bundle-0123456789abcdef --beside from-lab-2 --beside from-lab-3
      the mean ratio over four machines`,
});
