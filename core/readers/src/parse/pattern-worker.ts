import { parentPort } from 'node:worker_threads';
import type { PatternReply, PatternRequest } from './match-lines.ts';

parentPort?.on('message', (request: PatternRequest) => parentPort?.postMessage(answer(request), []));

function answer({ pattern, text }: PatternRequest): PatternReply {
  try {
    const expression = new RegExp(pattern);
    const lines = text.split('\n');
    // Text after the last line feed is a line only if it is not empty.
    if (lines.at(-1) === '') lines.pop();
    const found = lines.flatMap((line, index) => {
      const groups = expression.exec(line)?.groups;
      return groups === undefined ? [] : [{ index, groups: { ...groups } }];
    });
    return { kind: 'matched', lines: lines.length, found };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
