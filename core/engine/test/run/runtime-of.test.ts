import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runtimeOf } from '../../src/run/native/runtime-of.ts';

describe('runtimeOf', () => {
  function named(commandLine: string, executedBy: 'direct' | 'shell' = 'direct'): string {
    const words = commandLine.split(' ');
    return runtimeOf({
      argv: executedBy === 'shell' ? ['/bin/sh', '-c', commandLine] : words,
      executedBy,
      commandLine,
    });
  }

  it('knows a runtime by the program, by the first line of a script, and in a shell by the first word', () => {
    expect(named('/usr/bin/node a.js')).toBe('node');
    expect(named('/usr/bin/python3.11 a.py')).toBe('python');
    expect(named('/opt/jdk/bin/java -cp x Main')).toBe('java');
    expect(named('/bin/gzip -k x')).toBe('native');
    expect(named('LANG=C node a.js | sort', 'shell')).toBe('node');
    expect(named(fileURLToPath(new URL('fixtures/script.sh', import.meta.url)))).toBe('python');
  });
});
