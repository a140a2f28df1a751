// Draws rates of several servers side by side, as bars, for the documents.
import { whole } from '../markdown.ts';

const WIDTH = 720;
const BAR = 16;
const GAP = 14;
const LEFT = 180;
const RIGHT = 70;
const TOP = 52;
const INK = '#343a40';
const COLOURS = ['#3b5bdb', '#91a7ff'];

/** @param inFlight the load of each value of a server */
export function barsOf(
  servers: readonly { readonly name: string; readonly values: readonly number[] }[],
  inFlight: readonly number[],
): string {
  const most = Math.max(...servers.flatMap(({ values }) => values));
  const block = inFlight.length * BAR + GAP;
  const height = TOP + servers.length * block;
  const text = (x: number, y: number, content: string, anchor = 'start', colour = INK): string =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
  const parts = servers.flatMap(({ name, values }, at) => {
    const top = TOP + at * block;
    return [
      text(LEFT - 10, top + (inFlight.length * BAR) / 2 + 4, name, 'end'),
      ...values.flatMap((value, nth) => {
        const width = Math.round((value / most) * (WIDTH - LEFT - RIGHT));
        const y = top + nth * BAR;
        return [
          `<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR - 2}" fill="${COLOURS[nth]}"/>`,
          text(LEFT + width + 6, y + 11, whole(value)),
        ];
      }),
    ];
  });
  const legend = inFlight.map((count, nth) =>
    text(LEFT + nth * 100, 40, `${count} in flight`, 'start', COLOURS[nth] ?? INK),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>Messages delivered a second</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${text(WIDTH / 2, 20, 'Messages delivered a second', 'middle')}
${[...legend, ...parts].join('\n')}
</svg>
`;
}
