import { join } from 'node:path';
import { ask, idsOf, type Scheduler, type TaskEnd } from './scheduler.ts';

/**
 * Grid Engine, through `qsub`. A part is the task of an array job, which is started again where its node is lost (`-r y`). Whether a
 * node executes other jobs meanwhile is a matter of its queue. Source: the manual pages qsub(1), qstat(1), qacct(1) and sge_status(5).
 */
export const gridEngine: Scheduler = {
  title: 'Grid Engine',
  command: null,
  head: (title, tasks) => `#!/bin/bash
#$ -S /bin/bash
#$ -N ${title}
#$ -t 1-${tasks}
#$ -r y
#$ -V
`,
  shell: { task: '$SGE_TASK_ID', node: '${HOSTNAME:-$(hostname)}', status: '$status' },
  async submit({ folder, script, node, options }) {
    const where = ['-j', 'y', '-o', join(folder, 'gridengine-$JOB_ID-$TASK_ID.log'), '-wd', folder];
    // A job for a node that is no more would wait for ever: qsub is to check whether some node could execute it.
    const only = node === null ? [] : ['-w', 'e', '-l', `hostname=${node}`];
    const said = await ask('qsub', ['-terse', ...where, ...options.flatMap(splitOption), ...only, script]);
    // number.first-last:step, after what plugins of the site say
    return said.trim().split('\n').at(-1)?.split('.')[0] ?? '';
  },
  noNode: /resolve hostname|no suitable queues|unknown host/i,
  async watch(jobs, signal) {
    const ids = new Set(idsOf(jobs));
    return tasksOf(await ask('qstat', ['-xml', '-g', 'd', '-u', '*'], { signal })).flatMap(({ job, task, state }) => {
      // A task in error (E) waits until somebody clears it; dr is one of a lost node that was deleted.
      if (!ids.has(job) || state.includes('E') || state.startsWith('d')) return [];
      const isRunning = !state.endsWith('w') && !state.endsWith('q');
      return [{ job, task, isRunning, reason: isRunning ? null : state }];
    });
  },
  async ends(jobs) {
    const ids = idsOf(jobs);
    const ends = await Promise.all(ids.map(async (id) => endsOf(await ask('qacct', ['-j', id]).catch(() => ''))));
    const queue = await ask('qstat', ['-xml', '-g', 'd', '-u', '*']).catch(() => '');
    const inError = tasksOf(queue).filter(({ job, state }) => ids.includes(job) && state.includes('E'));
    return [
      ...ends.flat(),
      ...inError.map(({ job, task, state }) => {
        const reason = `could not be started (${state}): qstat -j ${job} says why, and qdel ${job} removes it from the queue`;
        return { job, task, reason, isNodeLost: true };
      }),
    ];
  },
  async cancel(jobs) {
    await ask('qdel', idsOf(jobs));
  },
};

/** `-l h_rt=3600` is typed as one option, and is two words of qsub. */
function splitOption(option: string): readonly string[] {
  const [, flag, value] = /^(-\w+)[ =](.+)$/s.exec(option) ?? [];
  return flag === undefined || value === undefined ? [option] : [flag, value];
}

/** Reads the tasks that `qstat -xml -g d` lists. */
function tasksOf(xml: string): readonly { readonly job: string; readonly task: number; readonly state: string }[] {
  return [...xml.matchAll(/<job_list\b[^>]*>(.*?)<\/job_list>/gs)].map(([, block = '']) => {
    function of(name: string): string {
      return new RegExp(`<${name}>([^<]*)</${name}>`).exec(block)?.[1] ?? '';
    }

    return { job: of('JB_job_number'), task: Number(of('tasks') || 1), state: of('state') };
  });
}

/** Reads what `qacct -j` says of the tasks of a job: blocks of lines, of a task that was executed several times the last one last. */
function endsOf(text: string): readonly TaskEnd[] {
  return text.split(/^=+$/m).flatMap((block) => {
    function of(name: string): string {
      return new RegExp(String.raw`^${name}\s+(.*?)\s*$`, 'm').exec(block)?.[1] ?? '';
    }

    const job = of('jobnumber');
    return job === '' ? [] : [{ job, task: Number(of('taskid')) || 1, ...explain(of) }];
  });
}

/** Explains the field `failed`. Source: the manual page sge_status(5), "job failure codes". */
function explain(of: (name: string) => string): Pick<TaskEnd, 'reason' | 'isNodeLost'> {
  const [, code = '0', said = ''] = /^(\d+)\s*:?\s*(.*)$/.exec(of('failed')) ?? [];
  const node = of('hostname');
  const isNodeLost = code === '25' || (Number(code) > 0 && Number(code) < 25);
  if (code === '0') return { reason: null, isNodeLost };
  if (code === '25') return { reason: `lost its node ${node} (${said})`, isNodeLost };
  if (code === '37') {
    const advice = 'give it more (qsub -l h_rt=…, h_cpu or h_vmem)';
    return { reason: `was ended by a limit on ${node} after ${of('ru_wallclock')} (${said}); ${advice}`, isNodeLost };
  }
  const killed = code === '100' ? 'was ended by a signal, such as that of qdel,' : 'could not be executed';
  return { reason: `${killed} on ${node} (${code}: ${said})`, isNodeLost };
}
