// Draws a tree of calls as a flame graph. The width of a call is its time. The calls that it made are above it.
import type { Frame } from './stacks.ts';

const WIDTH = 1200;
const ROW = 17;
const TOP = 56;
const EDGE = 10;
/** Narrower calls are left out, with all that they call. */
const LEAST_PIXELS = 1.5;
const PIXELS_OF_LETTER = 6.3;
const INK = '#212529';
const KINDS = [
  { name: 'this server', colour: '#91a7ff', is: (place: string) => /^(?!node:|npm:)./.test(place) },
  { name: 'packages of others', colour: '#fcc2d7', is: (place: string) => place.startsWith('npm:') },
  { name: 'Node', colour: '#b2f2bb', is: (place: string) => place.startsWith('node:') },
  { name: 'V8 and native code', colour: '#dee2e6', is: (place: string) => place === '' },
] as const;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Placed {
  readonly frame: Frame;
  readonly depth: number;
  readonly x: number;
  readonly width: number;
}

/** Returns the places of all calls that are wide enough, the widest of a row first. */
function placed(root: Frame, pixelsOf: (frame: Frame) => number): Placed[] {
  const all: Placed[] = [];
  const put = (frame: Frame, depth: number, left: number): void => {
    const width = pixelsOf(frame);
    if (width < LEAST_PIXELS) return;
    all.push({ frame, depth, x: left, width });
    let x = left;
    for (const child of frame.children.toSorted((a, b) => b.micros - a.micros)) {
      put(child, depth + 1, x);
      x += pixelsOf(child);
    }
  };
  put(root, 0, EDGE);
  return all;
}

/** @param times the number of times that the work was done, to show the time of one */
export function flameOf(root: Frame, title: string, times: number): string {
  const scale = (WIDTH - 2 * EDGE) / root.micros;
  const all = placed(root, (frame) => frame.micros * scale);
  const height = TOP + (Math.max(...all.map(({ depth }) => depth)) + 1) * ROW + EDGE;
  const boxes = all.map(({ frame, depth, x, width }) => {
    const { name, place, micros } = frame;
    const y = height - EDGE - (depth + 1) * ROW;
    const colour = KINDS.find(({ is }) => is(place))?.colour;
    const told = `${name}${place && ` ${place}`}: ${(micros / times).toFixed(2)} µs, ${((micros / root.micros) * 100).toFixed(1)} %`;
    const letters = Math.floor((width - 6) / PIXELS_OF_LETTER);
    const label = name.length <= letters ? name : `${name.slice(0, Math.max(0, letters - 1))}…`;
    const text = letters < 3 ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`;
    return `<g><title>${escaped(told)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour}"/>${text}</g>`;
  });
  const legend = KINDS.map(
    ({ name, colour }, at) =>
      `<rect x="${EDGE + at * 170}" y="32" width="12" height="12" fill="${colour}"/><text x="${EDGE + 17 + at * 170}" y="42">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="${INK}">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="13">${escaped(title)}</text>
${[...legend, ...boxes].join('\n')}
</svg>
`;
}
