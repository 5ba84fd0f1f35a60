import type { CommitRef } from '@deadheat/model';
import { ServerError } from '../errors.ts';

/** Addresses of repositories in the browser: of single projects, and of all others (`null`). */
export type Repositories = ReadonlyMap<string | null, string>;

/**
 * Reads `URL` or `PROJECT=URL`. The address is that of the repository, such as `https://github.com/owner/name`, or one that holds `{from}` and
 * `{to}`, the hashes of two commits.
 *
 * @throws ServerError `BAD_REPOSITORY`
 */
export function readRepository(text: string): readonly [project: string | null, url: string] {
  const { project, url = '' } = /^(?:(?<project>.+?)=)?(?<url>https?:\/\/.*)$/.exec(text)?.groups ?? {};
  if (URL.canParse(url)) return [project ?? null, url.replace(/\/+$/, '').replace(/\.git$/, '')];
  throw new ServerError(
    'BAD_REPOSITORY',
    `${text} is no address of a repository in the browser. Give https://HOST/OWNER/NAME, PROJECT=https://…, or a pattern such as ` +
      'https://HOST/compare?from={from}&to={to}.',
  );
}

/** The address of the commits after one and until another; `null` = it is not known. */
export function rangeUrl(
  repositories: Repositories,
  {
    project,
    after,
    until,
  }: { readonly project: string; readonly after: CommitRef | null; readonly until: CommitRef | null },
): string | null {
  const repository = repositories.get(project) ?? repositories.get(null);
  if (repository === undefined || after === null || until === null) return null;
  const [from, to] = [encodeURIComponent(after.id), encodeURIComponent(until.id)];
  if (repository.includes('{from}') || repository.includes('{to}')) {
    return repository.replaceAll('{from}', from).replaceAll('{to}', to);
  }
  const { hostname } = new URL(repository);
  if (/(?:^|\.)gitlab\./.test(hostname)) return `${repository}/-/compare/${from}...${to}`;
  if (hostname === 'bitbucket.org') return `${repository}/branches/compare/${to}..${from}`;
  // GitHub, Gitea, Forgejo
  return `${repository}/compare/${from}...${to}`;
}
