// What a page does in the browser: the search, the theme, and the contents, which are folded where the window is narrow. Without this
// script everything else works.
import { searchIn } from './search.js';

const form = document.querySelector('.search');
const field = form.querySelector('input');
const found = form.querySelector('.found');
const status = found.querySelector('[role=status]');
const list = found.querySelector('ol');
const shownAtMost = 20;

let search = null;

/** The index is a script, since a page that was opened as a file may not fetch anything. */
function load() {
  if (search !== null) return search;
  search = new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = form.dataset.index;
    script.addEventListener('load', () => resolve(searchIn(globalThis.searchIndex)));
    script.addEventListener('error', () => reject(new Error(`${script.src} cannot be loaded`)));
    document.head.append(script);
  });
  return search;
}

async function show() {
  const text = field.value.trim();
  found.hidden = text === '';
  if (text === '') return;
  const find = await load();
  // Only what is in the field now counts: the index may have taken its time.
  if (field.value.trim() !== text) return;
  const results = find(text);
  status.textContent = results.length === 0 ? `Nothing has the words “${text}”.` : countOf(results.length);
  list.replaceChildren(...results.slice(0, shownAtMost).map(itemOf));
}

function countOf(count) {
  if (count === 1) return '1 section found';
  return count > shownAtMost ? `${count} sections found, the best ${shownAtMost}:` : `${count} sections found`;
}

function itemOf({ title, heading, href, start }) {
  const link = document.createElement('a');
  link.href = `${form.dataset.root}/${href}`;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title}: ${heading}`;
  const text = document.createElement('span');
  text.textContent = start;
  link.append(name, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Moves from the field into the list and within it. */
function move(step) {
  const places = [field, ...list.querySelectorAll('a')];
  const next = places[places.indexOf(document.activeElement) + step];
  next?.focus();
}

form.hidden = false;
field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void show());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show().then(() => list.querySelector('a')?.click());
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    found.hidden = true;
    field.focus();
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea'))
    return;
  event.preventDefault();
  field.focus();
});
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) found.hidden = true;
  else if (event.target.closest('.found a') !== null) found.hidden = true;
});

const theme = document.querySelector('.theme');
const root = document.documentElement;

function isDark() {
  return (
    root.dataset.theme === 'dark' ||
    (root.dataset.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  );
}

function nameTheme() {
  theme.textContent = isDark() ? 'Light' : 'Dark';
  theme.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme');
}

theme.hidden = false;
nameTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', nameTheme);
theme.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  nameTheme();
  try {
    localStorage.theme = root.dataset.theme;
  } catch {
    // Then the choice lasts for this page.
  }
});

const contents = document.querySelector('.contents details');
const wide = matchMedia('(min-width: 80rem)');
function fold() {
  if (contents !== null) contents.open = wide.matches;
}
fold();
wide.addEventListener('change', fold);
document.querySelector('#menu [aria-current]')?.scrollIntoView({ block: 'nearest' });
root.dataset.ready = '';
