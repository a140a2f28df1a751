// Makes a picture from a drawing. Adds a white edge, as if the drawing were cut out of paper, and converts it to
// pixels.
import sharp from 'sharp';

const VIEW = 320;
const EDGE = `<filter id="edge" x="-10%" y="-10%" width="120%" height="120%">
<feMorphology in="SourceAlpha" operator="dilate" radius="5" result="wide"/><feGaussianBlur in="wide" stdDeviation="0.8" result="soft"/>
<feFlood flood-color="#ffffff"/><feComposite in2="soft" operator="in"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>`;

/**
 * Returns a drawing as an SVG page of the given size in pixels. The drawing reaches from -160 to 160 in both
 * directions.
 */
export const page = (drawing: string, pixels: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="${-VIEW / 2} ${-VIEW / 2} ${VIEW} ${VIEW}"><defs>${EDGE}</defs><g filter="url(#edge)">${drawing}</g></svg>`;

/** Makes a still picture with a small palette. */
export const toPng = (drawing: string, pixels: number): Promise<Buffer> =>
  sharp(Buffer.from(page(drawing, pixels)))
    .png({ palette: true, colours: 128, dither: 0, effort: 10, compressionLevel: 9 })
    .toBuffer();
