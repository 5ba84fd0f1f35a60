import { randomBytes } from 'node:crypto';
import { fitExperiment, startExperiment, type ExperimentDraft } from '@deadheat/engine';
import type { ChosenPart, RunInvocation } from './to-run-invocation.ts';
import { narrowDraft, type Narrowing, readConfig } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { exitCodes } from '../../errors/exit-codes.ts';
import { readEarlier } from './earlier-runs.ts';
import { makePlan } from './make-plan.ts';
import { renderPlan } from './render-plan.ts';
import { tool } from '../../version.ts';
import { checkExports, writeExport } from '../../experiment/finish.ts';
import { resume } from '../../experiment/resume.ts';
import { runFleet } from '../../experiment/run-fleet.ts';
import { runOnSlurm } from './run-on-slurm.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Where recordings are unless `--output` says otherwise. */
const parent = '.deadheat';

/** `deadheat run`. Returns the exit code. */
export async function runConfig(invocation: RunInvocation, terminal: Terminal): Promise<number> {
  switch (invocation.kind) {
    case 'resume':
      return resume(invocation, terminal);
    case 'plan':
      return showPlan(invocation, terminal);
    case 'run': {
      if (invocation.slurm !== null) return runOnSlurm({ invocation, slurm: invocation.slurm }, terminal);
      const { draft: read, seedIsDrawn } = readDraft(invocation, terminal);
      const { output, exports, part } = invocation;
      const draft = part === null || !seedIsDrawn ? read : { ...read, seed: sharedSeed(part) };
      if (draft.showOutput && Object.values(exports).includes('-')) {
        throw new UsageError(
          'CONFLICT',
          'verbose in the file would mix the output of the programs into an export to -',
          {
            hint: 'Export to a file.',
          },
        );
      }
      const { fleet, file } = invocation;
      return runWithProgress(
        (control) =>
          fleet === null
            ? startExperiment({
                ...control,
                draft,
                directory: output,
                parent,
                tool,
                ...(part === null ? {} : { part }),
              })
            : runFleet(fleet, {
                ...control,
                draft,
                file,
                narrowing: narrowingOf(invocation),
                directory: output,
                parent,
                terminal,
              }),
        { choices: invocation, terminal, showOutput: draft.showOutput },
      );
    }
  }
}

/** A seed that all parts have in common where nobody chose one. */
function sharedSeed({ experiment }: ChosenPart): string {
  if (experiment !== null) return experiment;
  throw new UsageError('CONFLICT', 'the parts of an experiment need something in common, and there is no seed', {
    hint: 'Give every part the same --experiment-id, or a seed: in the file or by --seed.',
  });
}

/** What a worker is told, which reads the file itself. */
function narrowingOf({
  filter,
  methods,
  seed,
  maxTimeNs,
  engine,
  showOutput,
  control,
  correction,
}: Narrowing): Narrowing {
  return { filter, methods, seed, maxTimeNs, engine, showOutput, control, correction };
}

function readDraft(
  invocation: Exclude<RunInvocation, { kind: 'resume' }>,
  terminal: Terminal,
): { readonly draft: ExperimentDraft; readonly seedIsDrawn: boolean } {
  const defaultSeed = randomBytes(4).toString('hex');
  const searchPath = terminal.env['PATH'] ?? '';
  const draft = narrowDraft(readConfig(invocation.file, { cwd: process.cwd(), searchPath, defaultSeed }), invocation);
  return { draft, seedIsDrawn: draft.seed === defaultSeed };
}

async function showPlan(invocation: Extract<RunInvocation, { kind: 'plan' }>, terminal: Terminal): Promise<number> {
  const { json } = invocation;
  checkExports({ json });
  const { draft, seedIsDrawn } = readDraft(invocation, terminal);
  const earlier = await readEarlier(parent, draft.name);
  const plan = makePlan(await fitExperiment(draft), { earlier, seedIsDrawn });
  if (json !== '-') terminal.stdout.write(renderPlan(plan));
  writeExport(json, { content: `${JSON.stringify(plan, null, 2)}\n`, terminal });
  return exitCodes.done;
}
