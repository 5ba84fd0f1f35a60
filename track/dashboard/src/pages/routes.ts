import { pagePolicy } from '@deadheat/report';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import { checkSameSite, sessionCookie } from '../access/guard.ts';
import { isFormKey, sessionHours, tokenWith } from '../access/tokens.ts';
import { decisionQuery, readQuery } from '../api/queries.ts';
import { cancelExperiment, fleetOf, mayCancel, type ServerContext, type ServerEnv } from '../context.ts';
import { RequestError } from '../errors.ts';
import { eventOf, type StreamEvent } from '../event-stream.ts';
import { changeOf } from '../source/change-search.ts';
import type { FleetState } from '../source/fleet-feed.ts';
import { benchmarksPage, projectsPage } from './benchmarks-page.ts';
import { canariesPage } from './canaries-page.ts';
import { changePage, changesPage } from './changes-page.ts';
import { comparePage } from './compare-page.ts';
import { commitsPage, comparisonPage, experimentPage } from './experiment-page.ts';
import { cancelPage, experimentsPart, fleetPage, resultsOf, workersPage, workersPart } from './fleet-pages.ts';
import { healthPage } from './health-page.ts';
import { type DashboardPage, loginPage, type Page, pageOf } from './page.ts';
import { seriesPage } from './series-page.ts';
import { summaryPage } from './summary-page.ts';
import { togetherPage } from './together-page.ts';

/** Every page that needs authentication, in the order of the menu. */
const pages: readonly DashboardPage[] = [
  changesPage,
  projectsPage,
  benchmarksPage,
  healthPage,
  summaryPage,
  commitsPage,
  comparePage,
  canariesPage,
  fleetPage,
  workersPage,
  changePage,
  seriesPage,
  togetherPage,
  experimentPage,
  comparisonPage,
  cancelPage,
];

type Asked = Context<ServerEnv>;

/** The routes of the pages. */
export function pageRoutes(context: ServerContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const { catalog, reports } = context;
  for (const page of pages) {
    routes.get(page.path, async (c) => {
      // Of a parameter that is given several times all values are a list.
      const many = Object.entries(c.req.queries()).map(([name, values]) => [
        name,
        name === 'series' ? JSON.stringify(values) : (values[0] ?? ''),
      ]);
      const query = readQuery(Object.fromEntries(many) as Record<string, string>, page.query);
      const asked = { context, caller: c.var.caller, query, id: c.req.param('id') ?? '' };
      return showPage(context, { c, page, content: await page.show(asked as never) });
    });
  }
  routes.post('/changes/:id', formLimit, async (c) => {
    await checkForm(c);
    const id = c.req.param('id');
    const change = changeOf(await context.changes.of(await catalog.now()), id);
    const decision = readQuery(textsOf(await c.req.parseBody()), decisionQuery);
    await context.triage.decide(change, { caller: c.var.caller, decision });
    return c.redirect(`/changes/${encodeURIComponent(id)}`, 303);
  });
  routes.get('/experiments/:id/report', async (c) => {
    const { id } = (await catalog.now()).recording(c.req.param('id'));
    c.header('content-security-policy', `${pagePolicy}; frame-ancestors 'none'`);
    return c.html(await reports.page(id));
  });
  routes.get('/fleet/events', async (c) => {
    const { feed } = fleetOf(context);
    const { caller } = c.var;

    const isAllowed = mayCancel(context, caller);

    async function parts({ experiments, workers }: FleetState): Promise<StreamEvent> {
      return eventOf('parts', {
        experiments: experimentsPart(experiments, { mayCancel: isAllowed, results: await resultsOf(context) }).text,
        workers: workersPart(workers, experiments).text,
      });
    }

    const variant = isAllowed ? 'cancels' : 'reads';
    const first = await context.fleetEvents.of(await feed.current(), variant, parts);
    return context.streams.answer(c, (send) => {
      send(first);
      return feed.watch((next) => {
        context.fleetEvents.of(next, variant, parts).then(send, context.report);
      });
    });
  });
  routes.post('/fleet/experiments/:id/cancel', formLimit, async (c) => {
    const { caller } = c.var;
    await checkForm(c);
    await cancelExperiment(context, { caller, experiment: c.req.param('id') });
    return c.redirect('/fleet', 303);
  });
  routes.post('/logout', formLimit, async (c) => {
    await checkForm(c);
    const { session } = c.var.caller;
    if (session !== null) context.sessions.end(session.id);
    deleteCookie(c, sessionCookie, { path: '/' });
    return c.redirect('/login', 303);
  });
  return routes;
}

/** The routes that need no authentication: login and logout. */
export function loginRoutes(context: ServerContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const { tokens, sessions } = context;
  routes.get('/login', (c) => {
    if (tokens.length === 0) return c.redirect('/', 303);
    return showPage(context, { c, content: loginPage({ next: ownPath(c.req.query('next')), isWrong: false }) });
  });
  routes.post('/login', formLimit, async (c) => {
    checkSameSite((name) => c.req.header(name));
    const { token, next } = await c.req.parseBody();
    const found = typeof token === 'string' ? tokenWith(token.trim(), tokens) : null;
    const path = ownPath(typeof next === 'string' ? next : undefined);
    if (found === null) {
      c.status(401);
      return showPage(context, { c, content: loginPage({ next: path, isWrong: true }) });
    }
    setCookie(c, sessionCookie, sessions.start(found).id, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: sessionHours * 3600,
      secure: c.req.header('x-forwarded-proto') === 'https',
    });
    return c.redirect(path, 303);
  });
  return routes;
}

/** A page in its frame; `page` = where it belongs, absent for those outside of the menu. */
export function showPage(
  { fleet, toolVersion }: Pick<ServerContext, 'fleet' | 'toolVersion'>,
  { c, page, content }: { readonly c: Asked; readonly page?: DashboardPage; readonly content: Page },
): Response {
  const caller = (c.get('caller') as Asked['var']['caller'] | undefined) ?? null;
  const menu = caller === null ? [] : pages.filter(({ isOfFleet = false }) => fleet !== null || !isOfFleet);
  return c.html(pageOf(content, { page, menu, caller, toolVersion }));
}

const formLimit = bodyLimit({
  maxSize: 16 * 1024,
  onError: () => {
    throw new RequestError('BAD_REQUEST', 'The form is larger than any that this dashboard has.');
  },
});

/** Refuses a form without the key of the user's session. @throws RequestError `FORBIDDEN` */
async function checkForm(c: Asked): Promise<void> {
  checkSameSite((name) => c.req.header(name));
  const { session } = c.var.caller;
  const { key } = await c.req.parseBody();
  if (session !== null && typeof key === 'string' && isFormKey(key, session)) return;
  throw new RequestError('FORBIDDEN', 'This form is not one of yours, or is too old: open its page again.');
}

/** The texts of a form, without files. */
function textsOf(form: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A path of this dashboard; anything that could lead elsewhere becomes its first page. */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\') ? path : '/';
}
