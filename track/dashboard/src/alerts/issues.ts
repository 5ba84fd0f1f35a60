import { constants, existsSync } from 'node:fs';
import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@deadheat/recording';
import { markdownDialect } from '@deadheat/report';
import { z } from 'zod';
import { eventParts } from './alert-message.ts';
import type { AlertLog, ChangeEvent, Found } from './alert.ts';
import type { IssuesTarget } from './alerts-file.ts';
import { askServer, Failure } from './delivery.ts';

const { code, text: plain, table } = markdownDialect;

/** Something that is to be done about the issue of a change. */
export interface IssueStep {
  readonly found: Found & { readonly event: ChangeEvent };
  /** `find`: whoever began to open it did not say how that ended. */
  readonly act: 'open' | 'find' | 'close' | 'reopen';
  /** Number of the issue; `null` = it is not known yet. */
  readonly number: string | null;
  /** Why, as a sentence; empty for a new issue. */
  readonly why: string;
  /** Why a tracker says it is closed: the level returned, or nothing is to be done. */
  readonly isDone: boolean;
}

/**
 * The step that the issue of a change needs; `null` = none. A change that is confirmed has an open issue, unless somebody decided about
 * the change before; one whose level returned, that is not found any more or that is expected has a closed one, if any.
 */
export function issueStep(
  found: IssueStep['found'],
  { channel, log, decision }: { channel: string; log: AlertLog; decision: ChangeEvent['decision'] },
): IssueStep | null {
  const issue = log.issueOf(channel, found);
  const { is, by } = log.courseOf(found);
  const step = { found, number: issue?.number ?? null, isDone: is === 'returned' };
  if (issue === undefined) return is === 'confirmed' && decision === null ? { ...step, act: 'open', why: '' } : null;
  if (issue.state === 'opening') return { ...step, act: 'find', why: '' };
  const isExpected = decision?.state === 'expected';
  if (issue.state === 'open') {
    if (!isExpected && (is === 'confirmed' || is === 'unconfirmed')) return null;
    const returned = by === null ? 'the level returned.' : `the level returned with ${code(by)}.`;
    const course = is === 'returned' ? returned : 'further comparisons do not show the change any more.';
    const why = isExpected ? `${code(decision.by)} decided that the change is expected.` : course;
    return { ...step, act: 'close', why: `Closed: ${why}` };
  }
  if (isExpected || is !== 'confirmed') return null;
  return { ...step, act: 'reopen', why: 'Reopened: the change is found again.' };
}

/** Title and text (Markdown) of the issue of a change. Names are those of whoever pushed, and mention nobody. */
function issueOf(event: ChangeEvent, marker: string): { readonly title: string; readonly body: string } {
  const { headline, size, series, measured } = eventParts(event);
  const basis = { levels: 'comparisons on either side', confirmed: 'pairs of the two commits', pair: 'one pair' };
  const rows = [
    ['size', size],
    ['series', code(series)],
    ['last commit before', commitCell(event.after)],
    ['first commit with it', commitCell(event.until)],
    ['measured', measured],
    ['shown by', basis[event.basis]],
  ];
  const link = event.url === null ? '' : `\nIn the dashboard: <${event.url}>\n`;
  return { title: headline, body: `${table(['change of level', ''], rows)}${link}\n${marker}\n` };
}

function commitCell(commit: ChangeEvent['until']): string {
  if (commit === null) return 'not known';
  const { id, label, subject = '', author = '' } = commit;
  // Trackers link a bare hash to its commit.
  const name = /^[0-9a-f]{40}$/.test(id) ? id : code(label === '' ? id : label);
  const said = [subject, author].filter((text) => text !== '').map((text) => plain(text));
  return [name, ...said].join(', ');
}

/** Every method may be called again after it failed, and throws a `Failure`. */
interface Tracker {
  /** Throws where issues cannot be read. */
  check(): Promise<void>;
  /** Number of the issue that holds a text, made at `since` or later (ISO 8601; clocks may differ by an hour); `null` = none. */
  find(marker: string, since: string): Promise<string | null>;
  open(issue: { readonly title: string; readonly body: string; readonly id: string }): Promise<string>;
  /** Adds the sentence to the text, once. */
  settle(number: string, how: { state: 'open' | 'closed'; why: string; isDone: boolean }): Promise<void>;
}

/** Means of one attempt. */
interface Means {
  readonly signal: AbortSignal;
  readonly toolVersion: string;
}

/** Throws where issues cannot be read at a target. @throws Failure */
export async function checkIssues(target: IssuesTarget, means: Means): Promise<void> {
  await trackerOf(target, means).check();
}

/**
 * Does a step. After an attempt whose end is not known the issue is looked for before it is opened.
 *
 * @param since when the first attempt to open it began, ISO 8601; `null` = this is it
 * @returns number of the issue
 * @throws Failure
 */
export async function doStep(
  { act, found, number, why, isDone }: IssueStep,
  { channel, target, since, ...means }: Means & { channel: string; target: IssuesTarget; since: string | null },
): Promise<string> {
  const tracker = trackerOf(target, means);
  if (number !== null) {
    await tracker.settle(number, { state: act === 'close' ? 'closed' : 'open', why, isDone });
    return number;
  }
  const { id } = found.event;
  const marker = code(`deadheat:${channel}:${id}`);
  const there = since === null ? null : await tracker.find(marker, since);
  return there ?? tracker.open({ ...issueOf(found.event, marker), id });
}

function trackerOf(target: IssuesTarget, means: Means): Tracker {
  return target.tracker === 'folder' ? folderTracker(target) : restTracker(target, dialects[target.tracker], means);
}

/**
 * The names that differ between the REST interfaces of trackers. Sources: "REST API endpoints for issues" of GitHub, version 2022-11-28;
 * "Issues API" of GitLab, version 4.
 */
const dialects = {
  github: {
    name: 'GitHub',
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    body: 'body',
    number: 'number',
    change: 'PATCH',
    labels: (labels: readonly string[]): unknown => labels,
    stateOf: (state: 'open' | 'closed', isDone: boolean): object => {
      return { state, state_reason: state === 'open' ? 'reopened' : isDone ? 'completed' : 'not_planned' };
    },
  },
  gitlab: {
    name: 'GitLab',
    headers: { accept: 'application/json' },
    body: 'description',
    number: 'iid',
    change: 'PUT',
    labels: (labels: readonly string[]): unknown => labels.join(','),
    stateOf: (state: 'open' | 'closed'): object => ({ state_event: state === 'open' ? 'reopen' : 'close' }),
  },
} as const;

const mostBytes = 16e6;
const issuesOnPage = 50;
/** Pages of issues, the newest first, in which one is looked for. */
const mostPages = 20;
const msPerHour = 3600e3;

function restTracker(
  { place, token, labels }: IssuesTarget,
  dialect: (typeof dialects)[keyof typeof dialects],
  { signal, toolVersion }: Means,
): Tracker {
  const { name: who, body: bodyName, number: numberName } = dialect;
  const headers = { ...dialect.headers, authorization: `Bearer ${token}`, 'user-agent': `deadheat/${toolVersion}` };
  const fields = {
    [numberName]: z.int(),
    [bodyName]: z.string().nullish(),
    created_at: z.iso.datetime({ offset: true }),
  };
  const issueSchema = z.looseObject(fields).transform((issue) => ({
    number: String(issue[numberName]),
    text: String(issue[bodyName] ?? ''),
    createdMs: Date.parse(String(issue.created_at)),
  }));
  const issuesSchema = z.array(issueSchema);

  async function ask<T>(schema: z.ZodType<T>, path: string, method = 'GET', content?: object): Promise<T> {
    const body = content === undefined ? null : JSON.stringify(content);
    const text = await askServer(new URL(`${place}/issues${path}`), { method, body, headers, signal, who, mostBytes });
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new Failure(`${who} answers with something that is no issue`, { isPassing: false });
    }
  }

  return {
    check: async () => void (await ask(issuesSchema, '?per_page=1')),
    find: async (marker, since) => {
      for (let page = 1; page <= mostPages; page += 1) {
        const issues = await ask(issuesSchema, `?state=all&per_page=${issuesOnPage}&page=${page}`);
        const found = issues.find(({ text }) => text.includes(marker));
        if (found !== undefined) return found.number;
        const oldestMs = issues.at(-1)?.createdMs ?? 0;
        if (issues.length < issuesOnPage || oldestMs < Date.parse(since) - msPerHour) break;
      }
      return null;
    },
    open: async ({ title, body }) => {
      const labelled = labels.length === 0 ? {} : { labels: dialect.labels(labels) };
      return (await ask(issueSchema, '', 'POST', { title, [bodyName]: body, ...labelled })).number;
    },
    settle: async (number, { state, why, isDone }) => {
      const { text } = await ask(issueSchema, `/${number}`);
      const content = { [bodyName]: withSentence(text, why), ...dialect.stateOf(state, isDone) };
      await ask(issueSchema, `/${number}`, dialect.change, content);
    },
  };
}

function withSentence(text: string, sentence: string): string {
  const known = text.trimEnd();
  return known.endsWith(sentence) ? text : `${known}\n\n${sentence}\n`;
}

/** Issues as files: `ID.md` with title, state and labels before the text, as static sites have it. The number is the id of the change. */
function folderTracker({ place, labels }: IssuesTarget): Tracker {
  function pathOf(id: string): string {
    return join(place, `${id}.md`);
  }
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      await makeFolder(place);
      return await work();
    } catch (error) {
      const { code: why, message } = error as NodeJS.ErrnoException;
      throw new Failure(`${place} cannot be used (${why ?? message})`, { isPassing: false });
    }
  }
  async function write(id: string, text: string): Promise<void> {
    await writeFile(`${pathOf(id)}.new`, text);
    await rename(`${pathOf(id)}.new`, pathOf(id));
  }
  return {
    check: () => attempt(() => access(place, constants.W_OK)),
    // The file of a change is always the same.
    find: async () => null,
    open: ({ title, body, id }) =>
      attempt(async () => {
        const head = [`title: ${JSON.stringify(title)}`, 'state: open', `labels: ${JSON.stringify(labels)}`].join('\n');
        await write(id, `---\n${head}\n---\n\n${body}`);
        return id;
      }),
    settle: (id, { state, why }) =>
      attempt(async () => {
        // Whoever removes the file has done with the change.
        const text = existsSync(pathOf(id)) ? await readFile(pathOf(id), 'utf8') : null;
        if (text !== null) await write(id, withSentence(text.replace(/^state: \w+$/m, `state: ${state}`), why));
      }),
  };
}
