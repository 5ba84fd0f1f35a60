import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, setCookie } from 'hono/cookie';
import { pagePolicy } from '@deadheat/report';
import { sessionCookie, checkSameSite } from '../access/guard.ts';
import { isFormKey, sessionHours } from '../access/sessions.ts';
import { tokenWith } from '../access/tokens.ts';
import { decisionQuery, seriesNameQuery, readQuery } from '../api/queries.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import { cancelExperiment, fleetOf, mayCancel } from '../fleet-actions.ts';
import { pageOf } from '../html/page-of.ts';
import { RequestError } from '../errors.ts';
import { changeOf } from '../source/change-search.ts';
import type { FleetState } from '../source/fleet-feed.ts';
import { benchmarksPage, benchmarksPageQuery } from './benchmarks-page.ts';
import { canariesPage, canariesPageQuery } from './canaries-page.ts';
import { changePage } from './change-page.ts';
import { changesPage, changesPageQuery } from './changes-page.ts';
import { commitsPage, commitsPageQuery } from './commits-page.ts';
import { comparePage, comparePageQuery } from './compare-page.ts';
import { comparisonPage } from './comparison-page.ts';
import { experimentPage, experimentPageQuery } from './experiment-page.ts';
import { cancelPage, fleetPage, resultsOf, workersPage, experimentsPart, workersPart } from './fleet-pages.ts';
import { loginPage, type Page } from './page.ts';
import { projectsPage } from './projects-page.ts';
import { seriesPage, seriesPageQuery } from './series-page.ts';
import { summaryPage, summaryPageQuery } from './summary-page.ts';
import { togetherPage, togetherPageQuery } from './together-page.ts';

type Asked = Context<ServerEnv>;

/** The routes of the pages. */
export function pageRoutes(context: ServerContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const { catalog, reports } = context;

  function show(c: Asked, page: Page): Response {
    return showPage(context, { c, page });
  }

  routes.get('/', async (c) => show(c, await changesPage(context, readQuery(c.req.query(), changesPageQuery))));
  routes.get('/changes/:id', async (c) =>
    show(c, await changePage(context, { id: c.req.param('id'), caller: c.var.caller })),
  );
  routes.post('/changes/:id', formLimit, async (c) => {
    await checkForm(c);
    const id = c.req.param('id');
    const change = changeOf(await context.changes.of(await catalog.now()), id);
    const decision = readQuery(textsOf(await c.req.parseBody()), decisionQuery);
    await context.triage.decide(change, { caller: c.var.caller, decision });
    return c.redirect(`/changes/${encodeURIComponent(id)}`, 303);
  });
  routes.get('/projects', async (c) => show(c, projectsPage(await catalog.now())));
  routes.get('/compare', async (c) => show(c, await comparePage(context, readQuery(c.req.query(), comparePageQuery))));
  routes.get('/benchmarks', async (c) =>
    show(c, await benchmarksPage(context, readQuery(c.req.query(), benchmarksPageQuery))),
  );
  routes.get('/series', async (c) =>
    show(c, await seriesPage(await catalog.now(), readQuery(c.req.query(), seriesPageQuery))),
  );
  routes.get('/together', async (c) => {
    const query = { ...c.req.query(), series: JSON.stringify(c.req.queries('series') ?? []) };
    return show(c, await togetherPage(await catalog.now(), readQuery(query, togetherPageQuery)));
  });
  routes.get('/summary', async (c) => show(c, await summaryPage(context, readQuery(c.req.query(), summaryPageQuery))));
  routes.get('/commits', async (c) =>
    show(c, await commitsPage(await catalog.now(), readQuery(c.req.query(), commitsPageQuery))),
  );
  routes.get('/canaries', async (c) =>
    show(c, await canariesPage(await catalog.now(), readQuery(c.req.query(), canariesPageQuery))),
  );
  routes.get('/experiments/:id', async (c) => {
    const query = readQuery(c.req.query(), experimentPageQuery);
    return show(c, await experimentPage(await catalog.now(), { id: c.req.param('id'), ...query }));
  });
  routes.get('/experiments/:id/comparison', async (c) => {
    const query = readQuery(c.req.query(), seriesNameQuery);
    return show(c, await comparisonPage(await catalog.now(), { id: c.req.param('id'), ...query }));
  });
  routes.get('/experiments/:id/report', async (c) => {
    const { id } = (await catalog.now()).recording(c.req.param('id'));
    c.header('content-security-policy', `${pagePolicy}; frame-ancestors 'none'`);
    return c.html(await reports.page(id));
  });
  routes.get('/fleet', async (c) => show(c, await fleetPage(context, c.var.caller)));
  routes.get('/workers', async (c) => show(c, await workersPage(context)));
  routes.get('/fleet/events', async (c) => {
    const { feed } = fleetOf(context);
    const { caller } = c.var;

    async function parts({ experiments, workers }: FleetState): Promise<Readonly<Record<string, string>>> {
      return {
        experiments: experimentsPart(experiments, {
          mayCancel: mayCancel(context, caller),
          results: await resultsOf(context),
        }).text,
        workers: workersPart(workers, experiments).text,
      };
    }

    const first = await parts(await feed.read());
    return context.streams.answer(c, (send) => {
      send('parts', first);
      return feed.watch((next) => {
        parts(next).then((made) => send('parts', made), context.report);
      });
    });
  });
  routes.get('/fleet/experiments/:id/cancel', async (c) =>
    show(c, await cancelPage(context, { caller: c.var.caller, id: c.req.param('id') })),
  );
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
    return showPage(context, { c, page: loginPage({ next: ownPath(c.req.query('next')), isWrong: false }) });
  });
  routes.post('/login', formLimit, async (c) => {
    checkSameSite((name) => c.req.header(name));
    const { token, next } = await c.req.parseBody();
    const found = typeof token === 'string' ? tokenWith(token.trim(), tokens) : null;
    const path = ownPath(typeof next === 'string' ? next : undefined);
    if (found === null) {
      c.status(401);
      return showPage(context, { c, page: loginPage({ next: path, isWrong: true }) });
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

/** A page in its frame. */
export function showPage(
  { fleet, toolVersion }: Pick<ServerContext, 'fleet' | 'toolVersion'>,
  { c, page }: { readonly c: Asked; readonly page: Page },
): Response {
  const { content, ...frame } = page;
  const caller = (c.get('caller') as Asked['var']['caller'] | undefined) ?? null;
  return c.html(pageOf({ ...frame, caller, hasFleet: fleet !== null, toolVersion }, content));
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
