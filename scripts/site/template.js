// The frame of a page: header with the search, menu, path, contents.
import { posix } from 'node:path';
import { escape } from './pages.js';

/** A page as HTML. `menu` and `repository` are those of `readPages`. */
export function pageHtml(page, { menu, repository }) {
  const isFront = page.place === 'index.html';
  const to = (place) => escape(posix.relative(posix.dirname(page.place), place));
  const title = isFront ? 'deadheat: is program B slower than program A?' : `${page.title} - deadheat`;
  const start = page.sections[0]?.text ?? '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<meta name="description" content="${escape(start.slice(0, 200).replace(/\s\S*$/, ''))}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('style.css')}">
<script>
try {
  const asked = new URLSearchParams(location.search).get('theme');
  if (asked) localStorage.theme = asked;
  document.documentElement.dataset.theme = asked || localStorage.theme || '';
} catch {}
</script>
<script src="${to('page.js')}" defer></script>
</head>
<body${isFront ? ' class="front"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
<a class="brand" href="${to('index.html')}">deadheat</a>
<form role="search" class="search" data-index="${to('search-index.js')}" data-root="${to('.') || '.'}" hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search ( / )">
<div class="found" hidden><p role="status"></p><ol></ol></div>
</form>
<button type="button" class="theme" hidden>Theme</button>
<a class="repository" href="${escape(repository)}">Repository</a>
</header>
<div class="frame">
<nav id="menu" popover aria-label="Pages">
${menu.map((group, index) => menuGroup(group, { index, page, to })).join('\n')}
</nav>
<main id="content" tabindex="-1">
${contents(page)}<article>
${page.html}</article>
</main>
</div>
<footer><p>deadheat is free software under the Apache License 2.0. <a href="${escape(`${repository}/blob/main/${page.source}`)}">Source of this page</a></p></footer>
</body>
</html>
`;
}

function menuGroup({ title, entries }, { index, page, to }) {
  const items = entries.map(({ text, place }) => {
    const current = place === page.place ? ' aria-current="page"' : '';
    return `<li><a href="${to(place)}"${current}>${escape(text)}</a></li>`;
  });
  return `<p id="menu-${index}">${escape(title)}</p>
<ul aria-labelledby="menu-${index}">${items.join('')}</ul>`;
}

/** Links to the sections of a page that has several. */
function contents({ place, headings }) {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (place === 'index.html' || sections.length < 2) return '';
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>\n`;
}
