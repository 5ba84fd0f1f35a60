import { constants } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNamedFile } from '@deadheat/recording';
import { markdownDialect } from '@deadheat/report';
import { z } from 'zod';
import { eventParts } from './alert-message.ts';
import type { AlertLog, ChangeEvent, Course, Found } from './alert.ts';
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
  {
    channel,
    log,
    decision,
  }: { readonly channel: string; readonly log: AlertLog; readonly decision: ChangeEvent['decision'] },
): IssueStep | null {
  const issue = log.issueOf(channel, found);
  const course = log.courseOf(found);
  const isExpected = decision?.state === 'expected';
  const step = { found, number: issue?.number ?? null, why: '', isDone: course.is === 'returned' };
  if (issue === undefined) return course.is === 'confirmed' && decision === null ? { ...step, act: 'open' } : null;
  if (issue.state === 'opening') return { ...step, act: 'find' };
  const wanted = isExpected
    ? 'closed'
    : course.is === 'unconfirmed'
      ? issue.state
      : course.is === 'confirmed'
        ? 'open'
        : 'closed';
  if (wanted === issue.state) return null;
  if (wanted === 'open') return { ...step, act: 'reopen', why: 'Reopened: the change is found again.' };
  const why = isExpected ? `${code(decision.by)} decided that the change is expected.` : endOf(course);
  return { ...step, act: 'close', why: `Closed: ${why}` };
}

function endOf({ is, by }: Course): string {
  if (is !== 'returned') return 'further comparisons do not show the change any more.';
  return `the level returned${by === null ? '' : ` with ${code(by)}`}.`;
}

/** Title and text (Markdown) of the issue of a change. Names are those of whoever pushed, and mention nobody. */
function issueOf({ found, marker }: { readonly found: IssueStep['found']; readonly marker: string }): {
  title: string;
  body: string;
} {
  const { event } = found;
  const { headline, size, series, measured } = eventParts(event);
  const rows = [
    ['size', size],
    ['series', code(series)],
    ['last commit before', commitCell(event.after)],
    ['first commit with it', commitCell(event.until)],
    ['measured', measured],
    [
      'shown by',
      event.basis === 'levels' ? 'comparisons on either side' : 'more than one comparison of the two commits',
    ],
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

/** Finds, opens, closes and reopens issues. Every method may be called again after it failed, and throws a `Failure`. */
interface Tracker {
  /** Throws where issues cannot be read. */
  check(): Promise<void>;
  /** Number of the issue that holds a text, made at `since` or later (ISO 8601; clocks may differ by an hour); `null` = none. */
  find(marker: string, since: string): Promise<string | null>;
  open(issue: { readonly title: string; readonly body: string; readonly id: string }): Promise<string>;
  /** Adds the sentence to the text, once. */
  settle(
    number: string,
    how: { readonly state: 'open' | 'closed'; readonly why: string; readonly isDone: boolean },
  ): Promise<void>;
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
  {
    channel,
    target,
    since,
    ...means
  }: Means & { readonly channel: string; readonly target: IssuesTarget; readonly since: string | null },
): Promise<string> {
  const tracker = trackerOf(target, means);
  if (number !== null) {
    await tracker.settle(number, { state: act === 'close' ? 'closed' : 'open', why, isDone });
    return number;
  }
  const { id } = found.event;
  const marker = code(`deadheat:${channel}:${id}`);
  const there = since === null ? null : await tracker.find(marker, since);
  return there ?? tracker.open({ ...issueOf({ found, marker }), id });
}

function trackerOf(target: IssuesTarget, means: Means): Tracker {
  return target.tracker === 'folder' ? folderTracker(target) : restTracker(target, dialects[target.tracker], means);
}

/** The names that differ between the REST interfaces of trackers. */
interface TrackerDialect {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: 'body' | 'description';
  readonly number: 'number' | 'iid';
  readonly change: 'PATCH' | 'PUT';
  readonly labels: (labels: readonly string[]) => unknown;
  readonly stateOf: (state: 'open' | 'closed', isDone: boolean) => Readonly<Record<string, string>>;
}

/** Sources: "REST API endpoints for issues" of GitHub, version 2022-11-28; "Issues API" of GitLab, version 4. */
const dialects: Readonly<Record<'github' | 'gitlab', TrackerDialect>> = {
  github: {
    name: 'GitHub',
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    body: 'body',
    number: 'number',
    change: 'PATCH',
    labels: (labels) => labels,
    stateOf: (state, isDone) => ({
      state,
      state_reason: state === 'open' ? 'reopened' : isDone ? 'completed' : 'not_planned',
    }),
  },
  gitlab: {
    name: 'GitLab',
    headers: { accept: 'application/json' },
    body: 'description',
    number: 'iid',
    change: 'PUT',
    labels: (labels) => labels.join(','),
    stateOf: (state) => ({ state_event: state === 'open' ? 'reopen' : 'close' }),
  },
};

const placedSchema = z.looseObject({
  number: z.int().optional(),
  iid: z.int().optional(),
  created_at: z.string().optional(),
  body: z.string().nullish(),
  description: z.string().nullish(),
});

const mostBytes = 16e6;
const issuesOnPage = 50;
/** Pages of issues, the newest first, in which one is looked for. */
const mostPages = 20;
const msPerHour = 3600e3;

function restTracker(
  { place, token, labels }: IssuesTarget,
  dialect: TrackerDialect,
  { signal, toolVersion }: Means,
): Tracker {
  async function ask<T>(
    path: string,
    schema: z.ZodType<T>,
    [method, content]: readonly [string, object?] = ['GET'],
  ): Promise<T> {
    const text = await askServer(new URL(`${place}/issues${path}`), {
      method,
      body: content === undefined ? null : JSON.stringify(content),
      headers: { ...dialect.headers, authorization: `Bearer ${token}`, 'user-agent': `deadheat/${toolVersion}` },
      signal,
      who: dialect.name,
      mostBytes,
    });
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
      throw new Failure(`${dialect.name} answers with something that is no issue`, { isPassing: false });
    }
  }
  function numberOf(issue: z.output<typeof placedSchema>): string {
    return String(issue[dialect.number] ?? '');
  }
  return {
    check: async () => void (await ask('?per_page=1', z.array(placedSchema))),
    find: async (marker, since) => {
      for (let page = 1; page <= mostPages; page += 1) {
        const issues = await ask(`?state=all&per_page=${issuesOnPage}&page=${page}`, z.array(placedSchema));
        const found = issues.find((issue) => issue[dialect.body]?.includes(marker) === true);
        if (found !== undefined) return numberOf(found);
        const oldest = Date.parse(issues.at(-1)?.created_at ?? '');
        if (issues.length < issuesOnPage || oldest < Date.parse(since) - msPerHour) break;
      }
      return null;
    },
    open: async ({ title, body }) =>
      numberOf(
        await ask('', placedSchema, [
          'POST',
          { title, [dialect.body]: body, ...(labels.length === 0 ? {} : { labels: dialect.labels(labels) }) },
        ]),
      ),
    settle: async (number, { state, why, isDone }) => {
      const issue = await ask(`/${number}`, placedSchema);
      const text = withSentence(issue[dialect.body] ?? '', why);
      await ask(`/${number}`, placedSchema, [
        dialect.change,
        { [dialect.body]: text, ...dialect.stateOf(state, isDone) },
      ]);
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
    return work().catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`${place} cannot be used (${error.code ?? error.message})`, { isPassing: false });
    });
  }
  async function write(id: string, text: string): Promise<void> {
    await writeNamedFile(pathOf(id), (file) => file.writeFile(text));
  }
  return {
    check: () =>
      attempt(async () => {
        await mkdir(place, { recursive: true });
        await access(place, constants.W_OK);
      }),
    // The file of a change is always the same.
    find: async () => null,
    open: ({ title, body, id }) =>
      attempt(async () => {
        await mkdir(place, { recursive: true });
        const head = [`title: ${JSON.stringify(title)}`, 'state: open', `labels: ${JSON.stringify(labels)}`].join('\n');
        await write(id, `---\n${head}\n---\n\n${body}`);
        return id;
      }),
    settle: (id, { state, why }) =>
      attempt(async () => {
        const text = await readFile(pathOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
          // Whoever removes the file has done with the change.
          if (error.code === 'ENOENT') return null;
          throw error;
        });
        if (text !== null) await write(id, withSentence(text.replace(/^state: \w+$/m, `state: ${state}`), why));
      }),
  };
}
