import type { Warning } from '@deadheat/model';

/** Options of a measurement with deadheat, in brackets as advice has them. */
const options = / \((?:--(?:runs|iterations|warmup|max-time)(?: \d+)?(?:, )?)+\)/g;

/**
 * What a warning advises, for who has files of another tool: options of deadheat's own measurements do nothing there, and
 * more runs come from that tool.
 */
export function adviceForFiles({ code, message }: Warning): Warning {
  const plain = message.replaceAll(options, '');
  const isAboutRuns = code === 'FEW_RUNS' || code === 'ONE_RUN';
  return {
    code,
    message: isAboutRuns
      ? `${plain}. Have the tool make more of them (forks, processes), or name a folder with the files of several`
      : plain,
  };
}
