import { z } from 'zod';

/** A build of a side with a layout of its own. */
const layoutSchema = z.object({
  /** What the layout was drawn from. */
  seed: z.string(),
  /** Folder of the build, absolute. */
  root: z.string(),
  /** Folder with the wrappers of compilers and linkers, absolute. */
  tools: z.string(),
  /** Digest of the machine code below `root`; `null` = there was none when it was looked for. */
  code: z.string().nullable(),
});
export type Layout = z.infer<typeof layoutSchema>;

/** Builds of both sides, as many of each; run after run has another one. */
export const layoutsSchema = z.object({ A: z.array(layoutSchema).min(2), B: z.array(layoutSchema).min(2) });
export type Layouts = z.infer<typeof layoutsSchema>;

/** How much layouts of one program differ, from an earlier experiment or from published figures. */
export const layoutSpreadSchema = z.object({
  /** Standard deviation of the log ratio of two builds, each of a layout of its own: 0.004 = 0.4 %. */
  deviation: z.number().nonnegative(),
  /** Degrees of freedom of that standard deviation. */
  degrees: z.int().positive(),
  /** Where it is from, for a reader. */
  source: z.string(),
});
export type LayoutSpread = z.infer<typeof layoutSpreadSchema>;

/** A benchmark whose sides may be built several times. */
interface WithLayouts {
  readonly layouts?: Layouts | undefined;
}

/** Place of the builds of a run: blocks of two runs, in which sides may trade cores, have the same ones, and all are used equally often. `null` = there is one build a side. */
export function layoutOfRun({ layouts }: WithLayouts, run: number): number | null {
  return layouts === undefined ? null : Math.floor(run / 2) % layouts.A.length;
}

/**
 * A benchmark with the programs, folders, files and hooks of other builds in place of those of the first; its hook `build` finds the wrappers of the layout.
 *
 * @throws RangeError without such builds
 */
export function inLayout<Described extends WithLayouts & { readonly hooks: Hooks }>(
  benchmark: Described,
  place: number,
): Described {
  const { layouts, ...rest } = benchmark;
  const [A, B] = [layouts?.A[place], layouts?.B[place]];
  if (layouts === undefined || A === undefined || B === undefined) throw new RangeError(`there is no layout ${place}`);
  let text = JSON.stringify(rest);
  for (const [first, own] of [
    [layouts.A[0], A],
    [layouts.B[0], B],
  ]) {
    if (first !== undefined && own !== undefined) text = text.replaceAll(inJson(first.root), inJson(own.root));
  }
  const moved = JSON.parse(text) as Described;
  const hooks = { A: withTools(moved.hooks.A, A), B: withTools(moved.hooks.B, B) };
  return { ...moved, hooks, layouts };
}

type Hooks = Readonly<Record<'A' | 'B', { readonly build: string | null }>>;

function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function withTools<Own extends Hooks['A']>(hooks: Own, { tools, seed }: Layout): Own {
  if (hooks.build === null) return hooks;
  const path = `'${tools.replaceAll("'", String.raw`'\''`)}/bin'`;
  return { ...hooks, build: `export PATH=${path}:"$PATH" DEADHEAT_LAYOUT_SEED='${seed}'\n${hooks.build}` };
}
