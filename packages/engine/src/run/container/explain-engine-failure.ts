import type { ContainerEngineName } from '@deadheat/model';

const quotedLines = 4;
/** Docker closes with a reference to its own help. */
const isAdvice = /^(?:Run|See) 'docker .*help'/;

/** What an engine that refuses can be helped by, by what it says. */
const remedies: readonly { readonly says: RegExp; readonly remedy: string }[] = [
  {
    says: /crun: .*hybrid mode not supported/,
    remedy:
      'crun does not know the control groups of this machine; install runc and write runtime = "runc" under [engine] in ' +
      'containers.conf (or in the file that CONTAINERS_CONF names).',
  },
  {
    says: /setrlimit .*Operation not permitted/,
    remedy:
      'This machine lets nobody raise limits, which podman does by default; write lower ones under [containers] in ' +
      'containers.conf: default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"].',
  },
  {
    says: /Cannot connect to the Docker daemon|permission denied.*docker\.sock|docker daemon running/is,
    remedy: 'Start the docker service, or be a member of the group docker.',
  },
  {
    says: /cpuset|controller .* not available/i,
    remedy:
      'A container is bound to its core by the control group cpuset; where podman runs without root, systemd has to ' +
      'delegate it (Delegate=cpu cpuset memory pids for user@.service), or run as root.',
  },
  {
    says: /\/bin\/sh.*(?:no such file|not found)/i,
    remedy: 'The image needs /bin/sh: a shell keeps the container ready until its program is started.',
  },
  {
    says: /unable to find network|network \S+ not found/i,
    remedy: 'Make that network (network create), or say network: none, which is the default.',
  },
  {
    says: /no space left on device|ENOSPC/i,
    remedy: "The disk of the engine's storage is full; make room (podman system df).",
  },
];

/** One sentence about a call that failed, what the engine said, and what helps where that is known. */
export function explainEngineFailure(
  engine: ContainerEngineName,
  { args, stderr }: { readonly args: readonly string[]; readonly stderr: string },
): string {
  const said = stderr
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '' && !isAdvice.test(line))
    .slice(-quotedLines);
  const remedy = remedies.find(({ says }) => says.test(stderr))?.remedy ?? `Try it by hand: ${engine} info.`;
  const quoted = said.join('') === '' ? '' : `\n${said.map((line) => `  ${engine}: ${line.slice(0, 500)}`).join('\n')}`;
  return `${engine} ${args[0] ?? ''} failed.${quoted}\n${remedy}`;
}
