import type { SideContainer } from './side-container.ts';

/** What is known of the reason why a program was killed that nobody here ended, and what helps; `null` = nothing. */
export async function whyKilled(
  place: Pick<SideContainer, 'state'>,
  { memoryBytes }: { readonly memoryBytes: number | null },
): Promise<string | null> {
  const state = await place.state();
  if (state === 'gone')
    return 'Its container was removed while it ran. Leave containers with the label deadheat alone.';
  if (state === 'ended')
    return 'Its container was ended while it ran, and not by deadheat. Look who did, and run it again.';
  if (memoryBytes === null) return null;
  return `It may take ${Math.round(memoryBytes / 2 ** 20)} MiB and no more: raise limits: memory if it needs them.`;
}
