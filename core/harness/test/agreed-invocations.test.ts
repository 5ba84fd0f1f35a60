import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgreedInvocations } from '../src/agreed-invocations.ts';
import { createBenchmarks } from '../src/create-benchmarks.ts';
import { start, withFolder } from './support.ts';

const [sort] = createBenchmarks('sort', () => undefined, { params: { n: [10] } });

describe('the agreed number of invocations', () => {
  it('is what the first one published; who comes later gets it', async () => {
    await withFolder((folder) => {
      const [a, b] = [new AgreedInvocations(folder), new AgreedInvocations(folder)];
      expect(a.read(3, sort!)).toBeNull();
      expect(a.publish(3, sort!, 100)).toBe(100);
      expect(b.publish(3, sort!, 250)).toBe(100);
      expect(b.read(3, sort!)).toBe(100);
      expect(readdirSync(folder)).toEqual(['3.json']);
      expect(readFileSync(join(folder, '3.json'), 'utf8')).toBe(
        '{"benchmark":"sort","params":{"n":"10"},"invocations":100}\n',
      );
    });
  });

  it('is one number when eight processes publish theirs at the same time', async () => {
    await withFolder(async (folder) => {
      const gate = join(folder, 'gate');
      const numbers = join(folder, 'numbers');
      mkdirSync(numbers);
      const racers = Array.from({ length: 8 }, (_, k) =>
        start('publish.mjs', { FOLDER: numbers, GATE: gate, OWN: String(k + 1) }),
      );
      writeFileSync(gate, '');
      const ended = await Promise.all(racers.map((racer) => racer.ended));
      expect(ended.map(({ stderr }) => stderr).join('')).toBe('');
      // 50 files each; whoever was first with one of them, all must have read the same.
      const [first, ...others] = ended.map(({ stdout }) => stdout);
      expect(JSON.parse(first ?? '')).toHaveLength(50);
      expect(new Set([first, ...others]).size).toBe(1);
      expect(readdirSync(numbers)).toHaveLength(50);
    });
  });

  it('is refused when it is about another benchmark, or no such number', async () => {
    await withFolder((folder) => {
      const agreed = new AgreedInvocations(folder);
      agreed.publish(0, sort!, 100);
      const [other] = createBenchmarks('sort', () => undefined, { params: { n: [20] } });
      expect(() => agreed.read(0, other!)).toThrow(
        "is about 'sort' with n=10, but benchmark 1 of this program is 'sort' with n=20",
      );
      for (const text of ['', '{', 'null', '{"benchmark":"sort","params":{"n":"10"},"invocations":0}']) {
        writeFileSync(join(folder, '0.json'), text);
        expect(() => agreed.read(0, sort!)).toThrow('Remove it to calibrate again');
      }
    });
  });

  it('names the folder that is not there', () => {
    const agreed = new AgreedInvocations('/nonexistent');
    expect(() => agreed.publish(0, sort!, 1)).toThrow(
      /^DEADHEAT_CALIBRATION: cannot write \/nonexistent\/0\.json: ENOENT/,
    );
  });
});
