import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** Version of the tool. */
export const version: string = manifest.version;

/** Path of the program that starts the command. */
export const commandPath: string = fileURLToPath(new URL('../bin/deadheat.js', import.meta.url));
