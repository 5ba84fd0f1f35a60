import type { ErrorCode } from '@deadheat/model';

const outputHint = 'The option --output DIR chooses the folder.';
const repairHint = 'deadheat cleanup --repair RECORDING keeps the lines that are whole.';
const cpusHint = 'The option --cpus LIST chooses the CPUs.';

/** The options of the command that help against an error of the library, whose own message names none. */
export const flagHints: Readonly<Partial<Record<ErrorCode, string>>> = {
  CPU_COUNT: cpusHint,
  CPU_TWICE: cpusHint,
  CPU_NOT_FOUND: cpusHint,
  CPU_NOT_USABLE: cpusHint,
  TOO_MANY_LANES: 'The option --lanes N sets the number of tandems; without it deadheat chooses.',
  DIRECTORY_NOT_EMPTY: `${outputHint} To continue the recording that is there, use --resume.`,
  RECORDING_IN_USE: outputHint,
  RECORDING_GONE: outputHint,
  JOURNAL_DAMAGED: repairHint,
  MALFORMED: `Where the file is trials.jsonl: ${repairHint}`,
  CANNOT_RESUME_HERE: 'Parts are made with deadheat run --part K/N and brought together with deadheat ci merge.',
  DIFFERENT_EXPERIMENTS:
    'deadheat run --part K/N executes one part; the option --experiment-id gives all parts the same identifier.',
  METHODS_DIFFER: 'The option --method METHOD of deadheat run chooses the method of a part.',
  UNKNOWN_BENCH_PATH: 'The option --bench-path names the files, and --bench-from the side that has them.',
  SHALLOW_CLONE: 'With --exact, deadheat git compares with the commit itself.',
  NO_COMMON_ANCESTOR: 'With --exact, deadheat git compares with the commit itself.',
  NO_TLS: 'The option --allow-plaintext allows it to one command.',
  ENGINE_MISSING: 'The option --engine of deadheat run chooses podman or docker.',
  UNKNOWN_FORMAT:
    'The option --format NAME names the format, and --columns time=COLUMN the columns of a table of times.',
  COLUMNS_NEEDED: 'The option --columns time=COLUMN,run=COLUMN,benchmark=COLUMN,side=COLUMN names them.',
};
