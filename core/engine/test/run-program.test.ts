import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../src/run-program.ts';

describe('a helper program', () => {
  it('is told by its status and by what it wrote to each output', async () => {
    const result = await runProgram(['/bin/sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect(result).toMatchObject({ status: 3, stdout: 'out\n', stderr: 'err\n' });
    expect(result.tail.split('\n').toSorted()).toEqual(['', 'err', 'out']);
    expect(await runProgram(['/bin/sh', '-c', 'echo $A'], { environment: { A: 'a' } })).toMatchObject({
      stdout: 'a\n',
    });
  });

  it('is not found where there is none', async () => {
    expect(await runProgram(['/no/such/program'])).toEqual({ status: 'not-found', stdout: '', stderr: '', tail: '' });
  });

  it('fails with the error of the system where no file can be opened', () => {
    const code = `import { openSync } from 'node:fs';
      import { runProgram } from ${JSON.stringify(new URL('../dist/run-program.js', import.meta.url).href)};
      try { for (;;) openSync('/dev/null'); } catch {}
      runProgram(['true']).catch(({ code }) => console.log(code));`;
    const words = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, code];
    expect(execFileSync('/bin/sh', words, { encoding: 'utf8' })).toBe('EMFILE\n');
  });

  it('has ended when it has, whatever it leaves in the background', async () => {
    const { status, stdout } = await runProgram(['/bin/sh', '-c', '(sleep 20; echo late) & echo $!']);
    process.kill(Number(stdout), 'SIGKILL');
    expect(status).toBe(0);
    expect(stdout).not.toContain('late');
  });

  it('is ended with its process group', async () => {
    const { status } = await runProgram(['/bin/sh', '-c', 'sleep 60; echo done'], { signal: AbortSignal.timeout(50) });
    expect(status).toBeNull();
  });
});
