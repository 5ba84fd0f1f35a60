// The pages of the site: Markdown of the repository with its headings and links, which are checked here.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';

/** The page that the site opens with. Its lists of links are the menu: each heading of the second level above a list is a group of it. */
const front = 'docs/README.md';
/** Folders whose Markdown files are pages, and files outside of them that are pages as well. */
const folders = ['docs'];
const beside = [
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'clients/README.md',
  'examples/README.md',
];

/**
 * Reads every page of a repository.
 *
 * @returns `pages` (`source` and `place` of the file, `title`, `headings`, `sections` of text for the search, `html`, `links` to other pages),
 *   `menu` (groups of links to places), `repository` (address) and `problems` (FILE:LINE: MESSAGE)
 */
export function readPages(root) {
  const problems = [];
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((source) => source.endsWith('.md'))
    .concat(beside.filter((source) => existsSync(join(root, source))))
    .sort();
  const marked = new Marked({ renderer });
  const pages = sources.map((source) => {
    const tokens = marked.lexer(readFileSync(join(root, source), 'utf8'));
    const { headings, wrong } = headingsOf(tokens);
    problems.push(...wrong.map(({ line, message }) => `${source}:${line}: ${message}`));
    return { source, place: placeOf(source), tokens, headings, title: headings[0]?.text ?? source };
  });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  const found = new Map(pages.map((page) => [page.source, page]));
  const context = { root, repository, found };
  const linked = pages.map((page) => {
    const links = new Set();
    for (const { token, line } of linksOf(page.tokens)) {
      const target = targetOf(token.href, { ...context, page });
      if (target.message !== undefined) problems.push(`${page.source}:${line}: ${target.message}`);
      else if (target.page !== undefined) links.add(target.page.place);
      if (target.href !== undefined) token.href = target.href;
      if (token.type === 'image' && target.file !== undefined) token.size = sizeOfPng(target.file);
    }
    return { ...page, links: [...links], sections: sectionsOf(page), html: marked.parser(page.tokens) };
  });
  return { pages: linked, menu: menuOf(linked), repository, problems: [...problems, ...unreachable(linked)] };
}

/** Where a page lies in the site: what is in `docs` at the top, an index for each README. */
function placeOf(source) {
  if (source.startsWith('docs/')) {
    return source
      .slice('docs/'.length)
      .replace(/(^|\/)README\.md$/, '$1index.md')
      .replace(/\.md$/, '.html');
  }
  if (source === 'README.md') return 'overview.html';
  return `${posix.dirname(source) === '.' ? source.replace(/\.md$/, '').toLowerCase() : posix.dirname(source)}.html`;
}

/** The headings of a page, with the ids that GitHub gives them; a page has one of the first level, and no level is left out. */
function headingsOf(tokens) {
  const headings = [];
  const wrong = [];
  const counts = new Map();
  let line = 1;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = textOf(token.tokens);
      const slug = text
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
        .replaceAll(' ', '-');
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      token.id = count === 0 ? slug : `${slug}-${count}`;
      const above = headings.at(-1)?.depth ?? 0;
      if (token.depth > above + 1)
        wrong.push({ line, message: `a heading of level ${token.depth} below one of level ${above}` });
      if (token.depth === 1 && above > 0) wrong.push({ line, message: 'a second heading of level 1' });
      headings.push({ id: token.id, depth: token.depth, text });
    }
    line += newlines(token.raw);
  }
  if (headings.length === 0) wrong.push({ line: 1, message: 'the page has no heading' });
  return { headings, wrong };
}

/** Links and images in their order, with the lines on which they begin. */
function linksOf(tokens) {
  const links = [];
  let line = 1;
  for (const block of tokens) {
    let from = 0;
    void new Marked().walkTokens([block], (token) => {
      if (token.type !== 'link' && token.type !== 'image') return;
      // What is indented in a list is not found as it is when it goes on in another line; then the place before it counts.
      const at = block.raw.indexOf(token.raw, from);
      from = at === -1 ? from : at;
      links.push({ token, line: line + newlines(block.raw.slice(0, from)) });
    });
    line += newlines(block.raw);
  }
  return links;
}

/** What a link of a page leads to: `href` for the site, the `page` or the `file`, or a `message` of what is wrong. */
function targetOf(href, { root, repository, found, page }) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return {};
  const [path, anchor] = href.split('#').map((part) => decodeURIComponent(part));
  const source = path === '' ? page.source : posix.join(posix.dirname(page.source), path);
  const target = found.get(source) ?? found.get(posix.join(source, 'README.md'));
  if (target !== undefined) {
    if (anchor !== undefined && !target.headings.some(({ id }) => id === anchor)) {
      return { message: `${target.source} has no heading #${anchor}` };
    }
    const place = path === '' ? '' : posix.relative(posix.dirname(page.place), target.place);
    return { page: target, href: anchor === undefined ? place : `${place}#${anchor}` };
  }
  const file = join(root, source);
  if (source.startsWith('..') || !existsSync(file)) return { message: `there is no ${source}` };
  if (source.startsWith('docs/') && statSync(file).isFile()) {
    return { file, href: posix.relative(posix.dirname(page.place), source.slice('docs/'.length)) };
  }
  return { file, href: `${repository}/${statSync(file).isFile() ? 'blob' : 'tree'}/main/${source}` };
}

/** Problems of pages to which no chain of links leads from the front page. */
function unreachable(pages) {
  const reached = new Set([pages.find(({ source }) => source === front)?.place]);
  // A set goes on with what is added to it in the meantime.
  for (const place of reached) {
    for (const link of pages.find((page) => page.place === place)?.links ?? []) reached.add(link);
  }
  return pages
    .filter(({ place }) => !reached.has(place))
    .map(({ source }) => `${source}:1: no link leads to this page from ${front}; add one there`);
}

function menuOf(pages) {
  const groups = [];
  for (const token of pages.find(({ source }) => source === front)?.tokens ?? []) {
    if (token.type === 'heading') groups.push({ title: textOf(token.tokens), entries: [] });
    if (token.type !== 'list') continue;
    for (const item of token.items) {
      const [link] = linksOf(item.tokens);
      if (link !== undefined) groups.at(-1)?.entries.push({ text: textOf(link.token.tokens), place: link.token.href });
    }
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The text below each heading, without markup, for the search. */
function sectionsOf({ tokens, headings }) {
  const sections = headings.map((heading) => ({ ...heading, text: '', heading: heading.text }));
  let index = -1;
  for (const token of tokens) {
    if (token.type === 'heading') index += 1;
    else if (index >= 0 && token.type !== 'html') sections[index].text += `${textOf([token])} `;
  }
  return sections.map(({ id, depth, heading, text }) => ({
    id,
    depth,
    heading,
    text: text.replaceAll(/\s+/g, ' ').trim(),
  }));
}

function textOf(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'table')
        return [token.header, ...token.rows]
          .flat()
          .map((cell) => `${textOf(cell.tokens)} `)
          .join('');
      if (token.type === 'list') return token.items.map((item) => `${textOf(item.tokens)} `).join('');
      if (token.type === 'image') return token.text;
      return token.tokens === undefined ? unescape(token.text ?? token.raw) : textOf(token.tokens);
    })
    .join('');
}

/** marked escapes text and code of tokens in some releases. */
function unescape(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

export function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What is wider than a phone scrolls by itself, by the keyboard as well. */
const renderer = {
  heading(token) {
    const text = this.parser.parseInline(token.tokens);
    if (token.depth === 1) return `<h1 id="${token.id}">${text}</h1>\n`;
    const label = escape(`Link to “${textOf(token.tokens)}”`);
    return `<h${token.depth} id="${token.id}">${text} <a class="anchor" href="#${token.id}" aria-label="${label}">#</a></h${token.depth}>\n`;
  },
  code({ text, lang }) {
    return `<pre tabindex="0"${lang === undefined ? '' : ` data-language="${escape(lang)}"`}><code>${escape(text)}</code></pre>\n`;
  },
  codespan({ text }) {
    // A short one, such as an option, is not divided at its hyphens.
    return `<code${text.length <= 24 ? ' class="whole"' : ''}>${escape(text)}</code>`;
  },
  image({ href, text, size }) {
    const measures = size === undefined ? '' : ` width="${size.width}" height="${size.height}"`;
    return `<img src="${escape(href)}" alt="${escape(text)}"${measures} loading="lazy">`;
  },
  table(token) {
    const cells = (row, name) =>
      row.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('');
    const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
    const names = token.header.map((cell) => textOf(cell.tokens)).filter((text) => text !== '');
    const label = escape(`Table: ${names.join(', ')}`);
    return `<div class="table" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`;
  },
};

/** Width and height of a picture, pixels, so that its place is kept free until it is loaded. */
function sizeOfPng(file) {
  const bytes = readFileSync(file);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function newlines(text) {
  return text.split('\n').length - 1;
}
