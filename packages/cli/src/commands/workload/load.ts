import { formatStretch } from '@deadheat/report';
import { longestTimerMs } from '@deadheat/sync';
import { burstPhases, startLoad, type LoadOptions, type LoadPlan } from '@deadheat/workloads';
import { exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** A load as it was asked for. */
export interface LoadInvocation {
  readonly load: LoadOptions;
  /** `null` = until it is interrupted. */
  readonly durationNs: number | null;
  readonly dryRun: boolean;
}

const dryRunNs = 10e9;
const parentCheckMs = 200;

/** `deadheat workload load`: competes until its time is over, it is interrupted, or its parent is gone. */
export async function runLoad({ load, durationNs, dryRun }: LoadInvocation, terminal: Terminal): Promise<number> {
  if (dryRun) {
    terminal.stdout.write(scheduleOf(load.plan, durationNs ?? dryRunNs));
    return exitCodes.done;
  }
  const parent = process.ppid;
  return withInterruption(async (signal) => {
    const running = await startLoad(load);
    terminal.stderr.write(`load: ${describe(load)}, ${running.pids.length} x ${load.work} (${load.language})\n`);
    const over = new Promise<'over' | 'interrupted'>((resolve) => {
      signal.addEventListener('abort', () => resolve('interrupted'));
      if (signal.aborted) resolve('interrupted');
      if (durationNs !== null) wait(running.originNs, { durationNs, onOver: () => resolve('over') });
      setInterval(() => {
        if (process.ppid !== parent) resolve('over');
      }, parentCheckMs).unref();
    });
    try {
      const how = await Promise.race([over, running.ended]);
      // A load without an end of its own is meant to be interrupted.
      return how === 'interrupted' && durationNs !== null ? exitCodes.interrupted : exitCodes.done;
    } finally {
      await running.stop();
    }
  });
}

function wait(
  originNs: number,
  { durationNs, onOver }: { readonly durationNs: number; readonly onOver: () => void },
): void {
  const leftMs = (originNs + durationNs - Number(process.hrtime.bigint())) / 1e6;
  if (leftMs <= 0) onOver();
  else setTimeout(() => wait(originNs, { durationNs, onOver }), Math.min(leftMs, longestTimerMs)).unref();
}

function describe({ plan, cpus }: LoadOptions): string {
  const where = cpus === 'all' ? 'all CPUs' : `CPU ${cpus.join(', ')}`;
  if (plan.mode !== 'bursts') return `${plan.mode} on ${where}`;
  const [busy, idle] = [formatStretch(plan.busyMeanNs), formatStretch(plan.idleMeanNs)];
  return `bursts on ${where}, ${busy} busy and ${idle} idle on average, seed ${plan.seed}`;
}

/** A line a burst that begins before `endNs`: its start and its end, in seconds. */
function scheduleOf(plan: LoadPlan, endNs: number): string {
  const lines = [plan.mode === 'bursts' ? `# seed ${plan.seed}` : `# ${plan.mode}`, '# busy from s\tto s'];
  for (const phase of burstPhases(plan)) {
    if (phase.startNs >= endNs) break;
    lines.push(`${(phase.startNs / 1e9).toFixed(6)}\t${(Math.min(phase.endNs, endNs) / 1e9).toFixed(6)}`);
  }
  return `${lines.join('\n')}\n`;
}
