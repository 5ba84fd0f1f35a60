/** The first of some texts that together have at most `room` characters, and how many are left out. */
export function takeFitting(
  texts: Iterable<string>,
  { room, count }: { readonly room: number; readonly count: number },
): { readonly taken: string; readonly shown: number; readonly left: number } {
  const taken: string[] = [];
  let free = room;
  for (const text of texts) {
    if (text.length > free) break;
    taken.push(text);
    free -= text.length;
  }
  return { taken: taken.join(''), shown: taken.length, left: count - taken.length };
}
