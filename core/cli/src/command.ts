import { main } from './main.ts';
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

const standardFiles = [0, 1, 2] as const;

/**
 * Lets this process end with its own exit code when its terminal is gone by then. Node puts the terminals that it began with back
 * into their first state at its end, and aborts when one of them answers EIO (`ResetStdio` in node.cc); a descriptor that
 * leads to something else it leaves alone.
 */
function surviveLostTerminal(): void {
  const terminals = standardFiles.filter((fd) => isatty(fd));
  if (terminals.length === 0) return;
  process.once('exit', () => {
    for (const fd of terminals) {
      if (isatty(fd)) continue;
      closeSync(fd);
      // The lowest free number is the one that was closed.
      openSync('/dev/null', 'r+');
    }
  });
}

surviveLostTerminal();
process.exitCode = await main(process.argv.slice(2));
