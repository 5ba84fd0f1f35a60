import type { CommitRef, Report, Side, SideSummary } from '@deadheat/model';
import { printable, shorten } from '../text/printable.ts';
import { codeSpan, escapeMarkdown } from './markdown-text.ts';

/** Where a pipeline runs, as far as its environment says. */
export interface Pipeline {
  /** `owner/name`; `null` = not known. */
  readonly project: string | null;
  /** Address of the project, below which commits are; `null` = not known. */
  readonly projectUrl: string | null;
  /** Between the project and the hash of a commit: `/commit/`. */
  readonly commitPath: string;
  readonly runUrl: string | null;
  readonly artifactsUrl: string | null;
  /** Folder of the checkout: a path in it is told as it is in the project. */
  readonly folder: string | null;
}

const longest = 200;
/** A path of three or more steps from the root, and its last step. */
const absolutePath = /(?<![\w.:/~-])\/(?:[\w.@+-]+\/){2,}([\w.@+-]+)/g;

/** The project, and what was measured: the command where all benchmarks have one, else the name of the experiment. */
export function title({ experiment, comparisons }: Report, pipeline: Pipeline | null): string {
  const { name, files, project: ofHistory = null } = experiment;
  const project = pipeline?.project ?? ofHistory;
  const commands = new Set(comparisons.map(({ sides }) => withoutLabel(sides.B.command)));
  const [command] = commands;
  const what =
    files !== undefined ? files.join(' and ') : commands.size === 1 && command !== undefined ? command : name;
  const parts = [...(project === null ? [] : [project]), what].map((part) => codeSpan(shorten(part, longest)));
  return `## deadheat: ${parts.join(', ')}`;
}

/** A command without the version that stands behind it as a comment of the shell. */
function withoutLabel(command: string): string {
  return command.replace(/ {2}# .*$/, '');
}

/** The commits of both sides, and where run and artifact are; empty where nothing of it is known. */
export function originLine({ experiment }: Report, pipeline: Pipeline | null): string {
  const { commits } = experiment;
  const known = (['A', 'B'] as const).flatMap((side: Side) => {
    const commit = commits?.[side] ?? null;
    return commit === null ? [] : [`${side} ${commitText(commit, pipeline)}`];
  });
  const links = [...link('run', pipeline?.runUrl), ...link('report and recording', pipeline?.artifactsUrl)];
  const parts = [...known, ...links];
  return parts.length === 0 ? '' : `${parts.join(' · ')}\n`;
}

/** Digits of a hash that a reader needs. */
const shortHash = 7;

function commitText({ id, label }: CommitRef, pipeline: Pipeline | null): string {
  const isHash = /^[0-9a-f]{12,64}$/.test(id);
  const short = isHash ? id.slice(0, shortHash) : id;
  const url = isHash && pipeline?.projectUrl != null ? `${pipeline.projectUrl}${pipeline.commitPath}${id}` : null;
  const shown = codeSpan(shorten(short, longest));
  const name = label === '' || id.startsWith(label) ? '' : `${codeSpan(shorten(label, longest))} `;
  return `${name}${url === null || !isUrl(url) ? shown : `[${shown}](${url})`}`;
}

function link(text: string, url: string | null | undefined): readonly string[] {
  return url == null || !isUrl(url) ? [] : [`[${escapeMarkdown(text)}](${url})`];
}

/** An address that may stand between parentheses. */
function isUrl(url: string): boolean {
  return /^https?:\/\/[^\s()<>[\]`\\|]+$/.test(url) && printable(url) === url;
}

/**
 * The report as everybody may read it who sees the pull request: folders of the machine that ran it are left out of paths.
 *
 * @param folder of the checkout; paths in it are told as they are in the project.
 */
export function withoutFolders(
  { report, troubles }: { readonly report: Report; readonly troubles: readonly string[] },
  folder: string | null,
): { readonly report: Report; readonly troubles: readonly string[] } {
  const { experiment } = report;
  const known = [folder, folderOf(experiment.recording), ...(experiment.files ?? []).map(folderOf)]
    .filter((one): one is string => one !== null && one.startsWith('/') && one.length > 1)
    .toSorted((one, other) => other.length - one.length);

  function inProject(text: string): string {
    return known.reduce((shown, one) => shown.replaceAll(`${one}/`, ''), text);
  }
  function anywhere(text: string): string {
    return inProject(text).replaceAll(absolutePath, '…/$1');
  }
  function side(summary: SideSummary): SideSummary {
    return { ...summary, name: inProject(summary.name), command: inProject(summary.command) };
  }
  function warning<One extends { readonly message: string }>(one: One): One {
    return { ...one, message: anywhere(one.message) };
  }

  const { files } = experiment;
  const comparisons = report.comparisons.map((comparison) => ({
    ...comparison,
    sides: { A: side(comparison.sides.A), B: side(comparison.sides.B) },
    warnings: comparison.warnings.map(warning),
  }));
  const recording = anywhere(experiment.recording);
  return {
    troubles: troubles.map(anywhere),
    report: {
      ...report,
      comparisons,
      warnings: report.warnings.map(warning),
      experiment: { ...experiment, recording, ...(files === undefined ? {} : { files: files.map(anywhere) }) },
    },
  };
}

function folderOf(path: string): string | null {
  const at = path.replace(/\/+$/, '').lastIndexOf('/');
  return at > 0 ? path.slice(0, at) : null;
}
