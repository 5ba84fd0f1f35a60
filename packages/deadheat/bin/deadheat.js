#!/usr/bin/env node
const oldest = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(`deadheat needs Node ${oldest.join('.')} or newer, and this is ${process.version}: nodejs.org has it\n`);
  process.exit(5);
}
await import('@deadheat/cli/command');
