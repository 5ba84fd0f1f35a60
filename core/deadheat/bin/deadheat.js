#!/usr/bin/env node
// Parsed by old versions of Node as well, so that they say what is needed.
import process from 'process';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write('deadheat: this is Node ' + process.versions.node + '; deadheat needs Node 20.19 or newer.\n');
  process.exitCode = 2;
} else {
  void import('@deadheat/cli/command');
}
