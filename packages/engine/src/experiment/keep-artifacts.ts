import { join } from 'node:path';
import type { ExperimentConfig, Warning } from '@deadheat/model';
import { makeArtifactFolder } from '../record/index.ts';
import { runArtifact } from '../run/index.ts';

/** Keeps what the experiment's artifact commands print: `artifacts/<name>.txt` in the recording. */
export async function keepArtifacts(
  { artifacts }: Pick<ExperimentConfig, 'artifacts'>,
  directory: string,
): Promise<readonly Warning[]> {
  const commands = Object.entries(artifacts);
  if (commands.length === 0) return [];
  const folder = await makeArtifactFolder(directory);
  const warnings: Warning[] = [];
  for (const [name, commandLine] of commands) {
    const why = await runArtifact(commandLine, join(folder, `${name}.txt`));
    if (why === null) continue;
    const message = `The artifact '${name}' is not complete (${why}); try it by hand: ${commandLine}`;
    warnings.push({ code: 'ARTIFACT_FAILED', message });
  }
  return warnings;
}
