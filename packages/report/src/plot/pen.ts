/** Where things are in a picture, in pixels. */
export interface Pen {
  x(this: void, value: number): number;
  y(this: void, value: number): number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}
