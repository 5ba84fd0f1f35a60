/** Replaces the parts of a page that a fleet changes, whenever it does. The server has escaped what they say. */
export function followFleet(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  const state = document.querySelector('#live-state');

  function show(text: string): void {
    if (state !== null && state.textContent !== text) state.textContent = text;
  }

  if (parts.length === 0) return;
  const events = new EventSource('/fleet/events');
  events.addEventListener('parts', ({ data }: MessageEvent<string>) => {
    const found = JSON.parse(data) as Record<string, string>;
    for (const part of parts) {
      const text = found[part.dataset['live'] ?? ''];
      if (text !== undefined) replace(part, text);
    }
    show('Live: this page follows the fleet.');
  });
  events.addEventListener('error', () => show('The connection was lost; what is shown may be old. Trying again.'));
}

/** Leaves what has the focus alone where it stays, so that nobody is thrown back to the top. */
function replace(part: HTMLElement, text: string): void {
  const focused = document.activeElement;
  const href = focused !== null && part.contains(focused) ? focused.getAttribute('href') : null;
  const template = document.createElement('template');
  template.innerHTML = text;
  part.replaceChildren(template.content);
  if (href === null) return;
  [...part.querySelectorAll('a')].find((anchor) => anchor.getAttribute('href') === href)?.focus();
}
