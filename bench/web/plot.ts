// Draws curves as SVG for the documents.
import type { Plot } from './figures.ts';

const SIZE = { width: 720, height: 300 };
const EDGE = { left: 56, right: 16, top: 36, bottom: 44 };
const COLOURS = ['#3b5bdb', '#c2255c', '#2b8a3e', '#e67700'];
const INK = '#343a40';
const GRID = '#dee2e6';
const STEPS = [1, 2, 2.5, 5, 10];

/** Returns a round distance between the marks of an axis that has about five marks. */
function stepOf(range: number): number {
  const rough = range / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (STEPS.find((step) => step * power >= rough) ?? 10);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Axis {
  /** Returns the place of a value on the axis, from 0 to 1. */
  readonly at: (value: number) => number;
  readonly most: number;
  readonly marks: readonly number[];
}

/** Makes an axis from 0. */
function evenAxis(values: readonly number[]): Axis {
  const most = Math.max(...values) * 1.05 || 1;
  const step = stepOf(most);
  const marks = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => Number((at * step).toPrecision(6)));
  return { at: (value) => value / most, most, marks };
}

/** Makes an axis of powers of ten. */
function powerAxis(values: readonly number[]): Axis {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const marks = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
  return { at: (value) => (Math.log10(value) - low) / (high - low), most: 10 ** high, marks };
}

/** Returns a mark with a short name for large numbers. */
function nameOf(value: number): string {
  if (value >= 1e6) return `${value / 1e6} million`;
  return value >= 1e4 ? value.toLocaleString('en-US') : String(value);
}

const colourOf = (at: number): string => COLOURS[at % COLOURS.length] ?? INK;

/** Returns the names of the curves in their colours, above the right end of the plot. */
function legendOf(names: readonly string[]): string {
  const parts = names.map(
    (name, at) => `<tspan dx="${at === 0 ? 0 : 14}" fill="${colourOf(at)}">${escaped(name)}</tspan>`,
  );
  return `<text x="${SIZE.width - EDGE.right}" y="${EDGE.top - 8}" text-anchor="end">${parts.join('')}</text>`;
}

export function svgOf({ title, x, y, curves, barX, powers }: Plot): string {
  const points = curves.flatMap((curve) => curve.points);
  const across = (powers === undefined ? evenAxis : powerAxis)([
    ...(barX === undefined ? [] : [barX]),
    ...points.map(([value]) => value),
  ]);
  const up = (powers === 'both' ? powerAxis : evenAxis)(points.map(([, value]) => value));
  const inner = {
    width: SIZE.width - EDGE.left - EDGE.right,
    height: SIZE.height - EDGE.top - EDGE.bottom,
  };
  const atX = (value: number): string => (EDGE.left + across.at(value) * inner.width).toFixed(1);
  const atY = (value: number): string => (EDGE.top + inner.height - up.at(value) * inner.height).toFixed(1);
  const line = (x1: string, y1: string, x2: string, y2: string, style: string): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${style}/>`;
  const text = (left: string, top: string, content: string, anchor = 'middle', colour = INK): string =>
    `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="${colour}">${escaped(content)}</text>`;
  const [left, right] = [EDGE.left.toFixed(1), (EDGE.left + inner.width).toFixed(1)];
  const bottom = atY(up.marks[0] ?? 0);
  const parts = [
    text(String(SIZE.width / 2), '14', title),
    legendOf(curves.map(({ name }) => name)),
    ...up.marks.flatMap((value) => [
      line(left, atY(value), right, atY(value), `stroke="${GRID}"`),
      text(String(EDGE.left - 8), String(Number(atY(value)) + 4), nameOf(value), 'end'),
    ]),
    ...across.marks.map((value) =>
      text(atX(value), String(Number(bottom) + 16), nameOf(value), value === across.most ? 'end' : 'middle'),
    ),
    text((EDGE.left + inner.width / 2).toFixed(1), String(SIZE.height - 8), x),
    text(String(EDGE.left - 8), String(EDGE.top - 8), y, 'start'),
    ...(barX === undefined
      ? []
      : [line(atX(barX), bottom, atX(barX), atY(up.most), `stroke="${INK}" stroke-dasharray="4"`)]),
    ...curves.map((curve, at) => {
      const path = curve.points.map(([px, py]) => `${atX(px)},${atY(py)}`).join(' ');
      return `<polyline points="${path}" fill="none" stroke="${colourOf(at)}" stroke-width="2"/>`;
    }),
  ];
  const box = `viewBox="0 0 ${SIZE.width} ${SIZE.height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="system-ui, sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${SIZE.width}" height="${SIZE.height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}
