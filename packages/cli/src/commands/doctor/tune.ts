import { applyTuning, restoreTuning, type SettingChange, type SettingFiles, type TuningName } from '@deadheat/engine';
import { printable } from '@deadheat/report';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The machine whose settings are changed, and where their former values are kept. */
export interface Tuned {
  readonly files: SettingFiles;
  readonly directory: string;
}

/** `deadheat doctor --apply`. Returns the exit code. */
export function applySettings(
  { files, directory, names }: Tuned & { readonly names: readonly TuningName[] },
  terminal: Pick<Terminal, 'stdout' | 'stderr'>,
): ExitCode {
  const { changes, stateFile } = applyTuning(files, { directory, names });
  if (changes.length === 0)
    terminal.stdout.write(`All of ${names.join(', ')} stands as it should; nothing is changed.\n`);
  const exitCode = tell(changes, terminal);
  if (stateFile !== null) {
    terminal.stdout.write(`The former values are in ${stateFile}; put them back with: deadheat doctor --restore\n`);
  }
  return exitCode;
}

/** `deadheat doctor --restore`. Returns the exit code. */
export function restoreSettings({ files, directory }: Tuned, terminal: Pick<Terminal, 'stdout' | 'stderr'>): ExitCode {
  const restored = restoreTuning(files, { directory });
  switch (restored.kind) {
    case 'nothing-kept':
      terminal.stdout.write('Nothing is changed, so there is nothing to put back.\n');
      return exitCodes.done;
    case 'outdated':
      terminal.stdout.write(
        'The machine was restarted since its settings were changed, which set them anew; there is nothing to put back.\n',
      );
      return exitCodes.done;
    case 'restored': {
      const exitCode = tell(restored.changes, terminal);
      terminal.stdout.write(
        restored.stateFile === null
          ? 'Everything stands as it did before.\n'
          : `The former values stay in ${restored.stateFile}. Try again as root: sudo deadheat doctor --restore\n`,
      );
      return exitCode;
    }
  }
}

function tell(changes: readonly SettingChange[], { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): ExitCode {
  for (const { path, from, to, failure } of changes) {
    const change = printable(`${path}: ${from} -> ${to}`);
    if (failure === null) stdout.write(`${change}\n`);
    else stderr.write(`deadheat: ${change} failed: ${printable(failure)}\n`);
  }
  return changes.some(({ failure }) => failure !== null) ? exitCodes.environment : exitCodes.done;
}
