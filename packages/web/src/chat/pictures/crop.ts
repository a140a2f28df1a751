// Which square of a picture is taken: the arithmetic of moving and enlarging.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The square that is taken, by its middle in parts of the picture, and how much it is enlarged. */
export interface Crop {
  /** From 0, the left edge, to 1. */
  readonly x: number;
  /** From 0, the upper edge, to 1. */
  readonly y: number;
  /** 1 takes the largest square that fits. */
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

/** Returns the square of the picture that a crop takes, in pixels of the picture. */
export function squareOf({ width, height }: Size, { x, y, zoom }: Crop): Square {
  const side = Math.min(width, height) / zoom;
  return {
    left: within(x * width - side / 2, 0, width - side),
    top: within(y * height - side / 2, 0, height - side),
    side,
  };
}

/** Returns the crop with its square inside of the picture. */
function inside(size: Size, crop: Crop): Crop {
  const zoom = within(crop.zoom, 1, MOST_ZOOM);
  const { left, top, side } = squareOf(size, { ...crop, zoom });
  return { x: (left + side / 2) / size.width, y: (top + side / 2) / size.height, zoom };
}

/**
 * Returns the crop after the picture was dragged.
 * @param dx how far to the right, in parts of the side of the square
 * @param dy how far down, in parts of the side of the square
 */
export function dragged(size: Size, crop: Crop, dx: number, dy: number): Crop {
  const { left, top, side } = squareOf(size, crop);
  const x = (left + side / 2 - dx * side) / size.width;
  const y = (top + side / 2 - dy * side) / size.height;
  return inside(size, { ...crop, x, y });
}

export const zoomed = (size: Size, crop: Crop, zoom: number): Crop => inside(size, { ...crop, zoom });

const MOST_SIDE = 1024;

/** Returns the side of the picture that is made: not larger than what was taken. */
export const sideOf = ({ side }: Square): number => Math.max(1, Math.round(Math.min(MOST_SIDE, side)));
