import { main } from './main.ts';
import { surviveLostTerminal } from './terminal/lost-terminal.ts';

surviveLostTerminal();
process.exitCode = await main(process.argv.slice(2));
