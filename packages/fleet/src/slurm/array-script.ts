/** The parts of an experiment, as tasks of one job. */
export interface PartsJob {
  /** Shown in the queue. */
  readonly name: string;
  /** Shared by all nodes; holds the script, and of part K the recording `K`, the output `K.log` and the exit code `K.exit`. */
  readonly folder: string;
  /** Shared by all nodes; where the parts are started. */
  readonly workingDirectory: string;
  readonly parts: number;
  /**
   * The program and its arguments, without those that differ: `--part K/N`, `--host-name` and `--output` are added. With
   * `--resume FOLDER` in place of them it goes on with a part.
   */
  readonly program: readonly [string, ...string[]];
  /** What is added to `program` for a part, and stays away when one goes on. */
  readonly begin: readonly string[];
}

/** A word that a shell reads as it is. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
const words = (list: readonly string[]): string => list.map(quoted).join(' ');

/**
 * The script of an array job. Every task has its node for itself. One that Slurm starts again on the same node goes on with its part;
 * on another it begins anew, so that the runs of a part are of one machine, and what there was is put aside.
 *
 * Source: Slurm's documentation of job arrays and `sbatch`.
 */
export const arrayScript = ({ name, folder, workingDirectory, parts, program, begin }: PartsJob): string => `#!/bin/bash
#SBATCH --job-name=${name.replaceAll(/[^\w.-]+/g, '-')}
#SBATCH --array=1-${parts}
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
cd ${quoted(workingDirectory)} || exit 1
part=${quoted(folder)}/$SLURM_ARRAY_TASK_ID
node=\${SLURMD_NODENAME:-$(hostname)}
exec >> "$part.log" 2>&1
rm -f "$part.exit"
if [ -e "$part" ] && [ "$(cat "$part.node")" != "$node" ]; then
  echo "begun on $(cat "$part.node"), begins anew on $node"
  mv "$part" "$part.lost-\${SLURM_RESTART_COUNT:-0}"
fi
echo "$node" > "$part.node"
if [ -e "$part/experiment.json" ]; then
  ${words(program)} --resume "$part"
else
  ${words([...program, ...begin])} --part "$SLURM_ARRAY_TASK_ID/${parts}" --host-name "$node" --output "$part"
fi
status=$?
echo "$status" > "$part.exit"
exit "$status"
`;
