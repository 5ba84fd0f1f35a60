import { parentPort, workerData } from 'node:worker_threads';
import type { ModuleReply, ModuleRequest } from './run-module.ts';

const { url, text, context } = workerData as ModuleRequest;
const reply = await answer();
try {
  parentPort?.postMessage(reply, []);
} catch (error) {
  parentPort?.postMessage({ kind: 'not-data', message: messageOf(error) } satisfies ModuleReply, []);
}

async function answer(): Promise<ModuleReply> {
  let parse: unknown;
  try {
    ({ default: parse } = (await import(url)) as { default?: unknown });
  } catch (error) {
    return { kind: 'not-loaded', message: messageOf(error) };
  }
  if (typeof parse !== 'function') return { kind: 'not-loaded', message: 'its default export is no function' };
  try {
    return { kind: 'parsed', value: await (parse(text, context) as unknown) };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
