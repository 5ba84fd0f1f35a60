/** Pictures that belong together, with what they show in words. */
export interface Figure {
  /** Names it among those of its benchmark: `times`. */
  readonly name: string;
  readonly title: string;
  /** SVG elements, from top to bottom. */
  readonly pictures: readonly string[];
  readonly caption: string;
  /** Whether the colours of A and B have to be told. */
  readonly hasSides: boolean;
  /** Whether it needs the whole width of a page. */
  readonly wide: boolean;
}
