// Draws curves as SVG for the documents.
import type { Plot } from './figures.ts';

const SIZE = { width: 720, height: 300 };
const EDGE = { left: 56, right: 16, top: 36, bottom: 44 };
const COLOURS = ['#3b5bdb', '#c2255c', '#2b8a3e'];
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

export function svgOf({ title, x, y, curves, barX }: Plot): string {
  const points = curves.flatMap((curve) => curve.points);
  const mostX = Math.max(barX ?? 0, ...points.map(([value]) => value)) * 1.05 || 1;
  const mostY = Math.max(...points.map(([, value]) => value)) * 1.05 || 1;
  const inner = {
    width: SIZE.width - EDGE.left - EDGE.right,
    height: SIZE.height - EDGE.top - EDGE.bottom,
  };
  const atX = (value: number): string => (EDGE.left + (value / mostX) * inner.width).toFixed(1);
  const atY = (value: number): string => (EDGE.top + inner.height - (value / mostY) * inner.height).toFixed(1);
  const line = (x1: string, y1: string, x2: string, y2: string, style: string): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${style}/>`;
  const text = (left: string, top: string, content: string, anchor = 'middle', colour = INK): string =>
    `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="${colour}">${escaped(content)}</text>`;
  const marks = (most: number): number[] =>
    Array.from({ length: Math.floor(most / stepOf(most)) + 1 }, (_, at) => Number((at * stepOf(most)).toPrecision(6)));
  const bottom = atY(0);
  const parts = [
    text(String(SIZE.width / 2), '20', title),
    ...marks(mostY).flatMap((value) => [
      line(atX(0), atY(value), atX(mostX), atY(value), `stroke="${GRID}"`),
      text(String(EDGE.left - 8), String(Number(atY(value)) + 4), String(value), 'end'),
    ]),
    ...marks(mostX).map((value) => text(atX(value), String(Number(bottom) + 16), String(value))),
    text(atX(mostX / 2), String(SIZE.height - 8), x),
    text(String(EDGE.left - 8), String(EDGE.top - 8), y, 'start'),
    ...(barX === undefined
      ? []
      : [line(atX(barX), atY(0), atX(barX), atY(mostY), `stroke="${INK}" stroke-dasharray="4"`)]),
    ...curves.flatMap((curve, at) => {
      const colour = COLOURS[at % COLOURS.length] ?? INK;
      const path = curve.points.map(([px, py]) => `${atX(px)},${atY(py)}`).join(' ');
      return [
        `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        text(String(SIZE.width - EDGE.right), String(EDGE.top + 14 + at * 16), curve.name, 'end', colour),
      ];
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
