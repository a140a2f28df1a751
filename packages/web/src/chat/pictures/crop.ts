// Computes which square of a picture is cut out when a person moves or enlarges the picture.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The position of the square: where its middle is in the picture, and how much it is enlarged. */
export interface Crop {
  /** The horizontal position, from 0 at the left edge of the picture to 1 at its right edge. */
  readonly x: number;
  /** The vertical position, from 0 at the upper edge of the picture to 1 at its lower edge. */
  readonly y: number;
  /** The enlargement. 1 means the largest square that fits; with 2, the side of the square is half as long. */
  readonly zoom: number;
}

export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

export const startCrop: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const MOST_ZOOM = 5;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Returns the square that a crop cuts out, in pixels of the picture. */
export function squareOf({ width, height }: Size, { x, y, zoom }: Crop): Square {
  const side = Math.min(width, height) / zoom;
  return {
    left: within(x * width - side / 2, 0, width - side),
    top: within(y * height - side / 2, 0, height - side),
    side,
  };
}

/** Returns the crop, moved so that its square is inside the picture, and with a valid zoom. */
function inside(size: Size, crop: Crop): Crop {
  const zoom = within(crop.zoom, 1, MOST_ZOOM);
  const { left, top, side } = squareOf(size, { ...crop, zoom });
  return { x: (left + side / 2) / size.width, y: (top + side / 2) / size.height, zoom };
}

/**
 * Returns the crop after the picture was dragged.
 * @param dx how far to the right, as a fraction of the square's side
 * @param dy how far down, as a fraction of the square's side
 */
export function dragged(size: Size, crop: Crop, dx: number, dy: number): Crop {
  const { left, top, side } = squareOf(size, crop);
  const x = (left + side / 2 - dx * side) / size.width;
  const y = (top + side / 2 - dy * side) / size.height;
  return inside(size, { ...crop, x, y });
}

export const zoomed = (size: Size, crop: Crop, zoom: number): Crop => inside(size, { ...crop, zoom });

const MOST_SIDE = 1024;

/** Returns the side of the new picture, in pixels. The side is at most as long as that of the square. */
export const sideOf = ({ side }: Square): number => Math.max(1, Math.round(Math.min(MOST_SIDE, side)));
