// The search of the site: the index, which is made with the site, and how it is asked in the browser.
import MiniSearch from 'minisearch';

const options = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'href', 'start'],
};

/** An entry for each heading of each page. */
export function searchIndex(pages) {
  const index = new MiniSearch(options);
  const entries = pages.flatMap(({ place, title, sections }) =>
    sections.map(({ id, depth, heading, text }) => ({
      title,
      heading: depth === 1 ? '' : heading,
      href: depth === 1 ? place : `${place}#${id}`,
      text,
      start: text.length > 150 ? `${text.slice(0, 150).replace(/\s\S*$/, '')} …` : text,
    })),
  );
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return index.toJSON();
}

/** How the tool was made counts less than how it is used. */
const background = /^(?:benchmarks|changelog|architecture|contributing|decisions\/|methods\/)/;

/** A function that finds the entries in which every word of a text occurs, the best first. */
export function searchIn(json) {
  const index = MiniSearch.loadJS(json, options);
  return (text) =>
    index.search(text, {
      combineWith: 'AND',
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      boostDocument: (_id, _term, { href }) => (background.test(href) ? 0.5 : 1),
      boost: { title: 3, heading: 4 },
    });
}
