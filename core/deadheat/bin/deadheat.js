#!/usr/bin/env node
// Parsed by old versions of Node as well, so that they say what is needed.
import process from 'process';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write('deadheat: this is Node ' + process.versions.node + '; deadheat needs Node 20.19 or newer.\n');
  process.exitCode = 2;
} else {
  // Node would end with 1, the code for a program that is slower.
  process.on('uncaughtException', function (error) {
    const debug = process.env.DEADHEAT_DEBUG === '1';
    process.stderr.write(
      'deadheat: it could not go on: ' + (debug ? error.stack : error.message) + '\n' + advice(error.code) + '\n',
    );
    process.exit(4);
  });
  void import('@deadheat/cli/command');
}

function advice(code) {
  if (code === 'EMFILE') return 'Raise the limit of open files (ulimit -n).';
  if (code === 'EAGAIN') return 'Raise the limit of processes (ulimit -u).';
  return 'Remove the cause that it names, and try again; with DEADHEAT_DEBUG=1 it says where.';
}
