// The pack of twenty emoji: wax seals with faces, and things from a post office by the sea.
import { colours, ellipse, heart, LINE, move, shape, star, stroke, waxSeal } from './drawing.ts';
import { type Eyes, face, type Mouth } from './face.ts';
import type { StillPicture } from './lettie-pack.ts';

const { ink, sun, wax, waxDark, green, sky, white, paper, fold, seal, sealDark, belly } = colours;
const yellow = ['#f9c74f', '#dd9f22'] as const;
const red = ['#ee7a5d', waxDark] as const;
const blue = [sky, '#4f8fc4'] as const;
const greenish = ['#7cc9a4', green] as const;
const violet = ['#b69ad8', '#8768b3'] as const;

/** Draws a face on a wax seal that fills the page. */
const on = ([fill, dark]: readonly [string, string], eyes: Eyes, mouth: Mouth, tears = false): string =>
  waxSeal(124, fill, dark) + move(face({ eyes, mouth, apart: 28, below: 26, size: 1.55, tears }), 0, -20);

const hand =
  shape(
    'M-58 96V-6L-22-22L-8-92Q2-108 18-98Q30-88 26-66L18-22H62Q84-18 78 4Q92 18 76 34Q86 52 66 62Q70 84 46 90Q0 102-24 90Z',
    '#f9c98f',
  ) +
  shape('M-104-14H-58V104H-104Z', green) +
  stroke('M48 6H74M46 34H72M42 62H64', '#d89a56', 6);
const envelope = move(
  shape('M-92-72H92Q104-72 104-60V60Q104 72 92 72H-92Q-104 72-104 60V-60Q-104-72-92-72Z', paper) +
    stroke('M-100 66L-52 22M100 66L52 22', '#e3c88f', LINE - 1) +
    shape('M-99-68Q-92-72-84-72H84Q92-72 99-68L12-2Q0 7-12-2Z', fold) +
    move(waxSeal(30), 0, 8),
  0,
  0,
  -6,
  1.3,
);
/** Draws the paper of a postage stamp with a toothed edge. Dots are drawn all around, and the paper over them. */
function stampPaper(): string {
  const along = (half: number, count: number) =>
    Array.from({ length: count }, (_, i) => -half + (2 * half * i) / (count - 1));
  const dots = [
    ...along(92, 6).flatMap((x) => [[x, -112] as const, [x, 112] as const]),
    ...along(112, 7).flatMap((y) => [[-92, y] as const, [92, y] as const]),
  ];
  const round = (fill: string, radius: number) => dots.map(([x, y]) => ellipse(x, y, radius, radius, fill)).join('');
  return `${round(ink, 21) + round(white, 14)}<path d="M-92-112H92V112H-92Z" fill="${white}"/>`;
}
const stamp = move(
  stampPaper() +
    shape('M-70-90H70V90H-70Z', '#cfe8f7', { 'stroke-width': 5 }) +
    shape('M-70 34Q-46 18-22 34T24 34T70 34V90H-70Z', sky, { 'stroke-width': 5 }) +
    ellipse(26, -36, 26, 26, sun, { stroke: ink, 'stroke-width': 5 }),
  0,
  0,
  7,
);
const fish =
  shape(
    'M-116-46Q-88-10-116 40Q-78 44-58 18Q-6 74 64 44Q104 24 118 0Q104-30 64-48Q-6-76-58-20Q-78-48-116-46Z',
    '#f29a5b',
  ) +
  ellipse(72, -10, 10, 12, ink) +
  stroke('M26-36Q44 0 26 36', ink, 6) +
  stroke('M-20-22Q-6-4-20 14M-48-10Q-38 0-48 12', '#c8733a', 6);
const cup = move(
  shape('M-70-20H70V40Q70 100 20 100H-20Q-70 100-70 40Z', white) +
    stroke('M70-4Q116-8 112 32Q106 66 62 58', ink, 8) +
    shape('M-70-20H70V8H-70Z', '#8a5a3c') +
    stroke('M-28-42Q-44-60-28-78T-28-112M22-42Q6-60 22-78T22-112', sealDark, 8),
  -14,
  8,
);
const sealHead = move(
  ellipse(0, 0, 116, 108, seal, { stroke: ink, 'stroke-width': LINE }) +
    ellipse(-44, -68, 14, 9, sealDark) +
    ellipse(-14, -84, 10, 7, sealDark) +
    ellipse(46, -72, 12, 8, sealDark) +
    stroke('M-60 34L-116 24M-60 48L-114 54M60 34L116 24M60 48L114 54', ink, 5) +
    ellipse(-26, 36, 36, 28, belly) +
    ellipse(26, 36, 36, 28, belly) +
    shape('M-18 10Q0 0 18 10Q12 28 0 28Q-12 28-18 10Z', ink, { 'stroke-width': 3 }) +
    move(face({ eyes: 'open', mouth: 'smile', apart: 42, below: 46, size: 1.35 }), 0, -8),
  0,
  0,
);

export const emojiPack: readonly StillPicture[] = [
  { name: '001', text: '(smile)', drawing: on(yellow, 'open', 'smile') },
  { name: '002', text: '(laugh)', drawing: on(yellow, 'happy', 'laugh') },
  { name: '003', text: '(wink)', drawing: on(yellow, 'wink', 'smile') },
  { name: '004', text: '(love)', drawing: on(red, 'hearts', 'laugh') },
  { name: '005', text: '(kiss)', drawing: on(red, 'closed', 'kiss') },
  { name: '006', text: '(wow)', drawing: on(violet, 'stars', 'laugh') },
  { name: '007', text: '(tongue)', drawing: on(greenish, 'wink', 'tongue') },
  { name: '008', text: '(surprised)', drawing: on(violet, 'wide', 'o') },
  { name: '009', text: '(thinking)', drawing: on(greenish, 'up', 'flat') },
  { name: '010', text: '(sad)', drawing: on(blue, 'sad', 'sad') },
  { name: '011', text: '(cry)', drawing: on(blue, 'closed', 'cry', true) },
  { name: '012', text: '(angry)', drawing: on(red, 'angry', 'wavy') },
  { name: '013', text: '(heart)', drawing: move(heart(wax, LINE / 4), 0, 6, 0, 4.2) },
  { name: '014', text: '(star)', drawing: move(star(sun, LINE / 4.6), 0, 8, 0, 4.6) },
  { name: '015', text: '(thumbs up)', drawing: move(hand, 10, 0, 0, 1.2) },
  { name: '016', text: '(letter)', drawing: envelope },
  { name: '017', text: '(stamp)', drawing: stamp },
  { name: '018', text: '(fish)', drawing: move(fish, 0, 0, -8, 1.15) },
  { name: '019', text: '(coffee)', drawing: cup },
  { name: '020', text: '(seal)', drawing: sealHead },
];
