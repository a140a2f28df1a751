// The common style of all stickers: colours, lines and small shapes. Everything is drawn as SVG paths, including
// letters, so that the pictures do not depend on the fonts of a machine.

export const colours = {
  ink: '#2c3140',
  paper: '#fff4dc',
  fold: '#f6dfb4',
  wax: '#e2603f',
  pink: '#f3a6b4',
  waxDark: '#b9442a',
  green: '#2f8f78',
  sun: '#f7b733',
  blush: '#f59a86',
  sky: '#7db8e8',
  white: '#ffffff',
  seal: '#8fa9c4',
  sealDark: '#6f8aa8',
  belly: '#dfe9f3',
} as const;

export const LINE = 7;
const { ink } = colours;

type Attributes = Readonly<Record<string, string | number>>;
const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/** Draws a filled shape with the common outline. */
export const shape = (d: string, fill: string, more: Attributes = {}): string =>
  `<path${attributesOf({ d, fill, stroke: ink, 'stroke-width': LINE, 'stroke-linejoin': 'round', ...more })}/>`;

export const stroke = (d: string, colour: string = ink, width = LINE): string =>
  `<path${attributesOf({ d, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })}/>`;

export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string, more: Attributes = {}): string =>
  `<ellipse${attributesOf({ cx, cy, rx, ry, fill, ...more })}/>`;

export const move = (content: string, x: number, y: number, degrees = 0, scale = 1): string =>
  `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(degrees)}) scale(${round(scale)})">${content}</g>`;

/** Turns a drawing around a point. */
export const turn = (content: string, degrees: number, x: number, y: number): string =>
  `<g transform="rotate(${round(degrees)} ${round(x)} ${round(y)})">${content}</g>`;

export const round = (value: number): number => Math.round(value * 100) / 100;

/** Draws a heart of about 60 x 56 around the origin. */
export const heart = (fill: string = colours.wax, line = LINE): string =>
  shape('M0 26C-20 10-31-3-28-15C-24-30-7-30 0-15C7-30 24-30 28-15C31-3 20 10 0 26Z', fill, { 'stroke-width': line });

/** Draws a star of about 56 x 54 around the origin. */
export function star(fill: string = colours.sun, line = LINE): string {
  const corners = Array.from({ length: 10 }, (_, i) => {
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    const radius = i % 2 === 0 ? 28 : 14;
    return `${round(Math.cos(angle) * radius)} ${round(Math.sin(angle) * radius)}`;
  });
  return shape(`M${corners.join('L')}Z`, fill, { 'stroke-width': line });
}

/** Draws a drop whose tip is at the origin. */
export const drop = (size = 1): string =>
  move(shape('M0 0C10 14 13 22 13 28A13 13 0 0 1-13 28C-13 22-10 14 0 0Z', colours.sky), 0, 0, 0, size);

export const letterZ = (size: number): string =>
  stroke(`M${-size} ${-size}H${size}L${-size} ${size}H${size}`, ink, LINE);

/** Draws a wax seal: a disc with an uneven edge and a pressed ring. */
export function waxSeal(radius: number, fill: string = colours.wax, dark: string = colours.waxDark): string {
  const bumps = 11;
  const points = Array.from({ length: bumps }, (_, i) => {
    const angle = (2 * Math.PI * i) / bumps;
    const wobble = radius * (1 + 0.05 * Math.sin(i * 2.3));
    return [Math.cos(angle) * wobble, Math.sin(angle) * wobble] as const;
  });
  const middle = (a: readonly [number, number], b: readonly [number, number], push: number) => {
    const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    return `${round(x * push)} ${round(y * push)}`;
  };
  const edge = points.map((point, i) => {
    const next = points[(i + 1) % bumps] as readonly [number, number];
    return `Q${middle(point, next, 1.17)} ${round(next[0])} ${round(next[1])}`;
  });
  const [first] = points as [readonly [number, number]];
  return (
    shape(`M${round(first[0])} ${round(first[1])}${edge.join('')}Z`, fill) +
    ellipse(0, 0, round(radius * 0.72), round(radius * 0.72), 'none', {
      stroke: dark,
      'stroke-width': round(radius * 0.09),
    })
  );
}
