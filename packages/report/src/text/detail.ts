/** A named fact below a verdict. */
export interface Detail {
  readonly label: string;
  readonly text: string;
}
