import type { Frame } from '@deadheat/model';

/** Frames of a run, each once, and its stacks. */
export interface SampledRun {
  readonly frames: readonly Frame[];
  /** Stacks that were seen: numbers of frames, the outermost first, and the samples in them while the program ran. */
  readonly stacks: readonly { readonly frames: readonly number[]; readonly samples: number }[];
  /** CPU time that the sampler itself measured, s; `null` = that of the process counts. */
  readonly cpuSeconds: number | null;
}

export function samplesOf({ stacks }: SampledRun): number {
  return stacks.reduce((sum, { samples }) => sum + samples, 0);
}

/** The name and the file of a function: by them the functions of several runs are the same. */
export function functionKey({ name, file }: Pick<Frame, 'name' | 'file'>): string {
  return `${name}\t${file}`;
}

/** Collects the samples of a run. */
export class RunCollector {
  readonly #frames: Frame[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #stacks = new Map<string, { readonly frames: readonly number[]; samples: number }>();
  /** CPU time that the sampler measured, s. */
  cpuSeconds: number | null = null;

  /** The number of a frame for {@link add}. */
  frame(frame: Frame): number {
    const key = functionKey(frame);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#frames.push(frame) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** @param frames numbers of frames, the outermost first; at least one */
  add(frames: readonly number[], samples: number): void {
    const key = frames.join(' ');
    const known = this.#stacks.get(key);
    if (known === undefined) this.#stacks.set(key, { frames, samples });
    else known.samples += samples;
  }

  build(): SampledRun {
    return { frames: this.#frames, stacks: [...this.#stacks.values()], cpuSeconds: this.cpuSeconds };
  }
}
