// Faces with the same eyes and mouths for the letter, the seal and the emoji.
import { colours, drop, ellipse, heart, LINE, move, round, stroke } from './drawing.ts';

export type Eyes = 'open' | 'happy' | 'closed' | 'wide' | 'hearts' | 'wink' | 'angry' | 'sad' | 'stars' | 'up';
export type Mouth = 'smile' | 'laugh' | 'o' | 'flat' | 'sad' | 'wavy' | 'tongue' | 'small' | 'kiss' | 'cry';

export interface Face {
  readonly eyes: Eyes;
  readonly mouth: Mouth;
  /** The distance from the middle of the face to each eye. */
  readonly apart: number;
  /** The distance from the eyes down to the mouth. */
  readonly below: number;
  readonly size?: number;
  readonly tears?: boolean;
}

const { ink, white, blush } = colours;

const dot = ellipse(0, 0, 10, 13, ink) + ellipse(3, -5, 3.6, 4.2, white);
const upward = ellipse(0, 0, 13, 14, white, outline()) + ellipse(4, -5, 6, 7, ink);
const arch = stroke('M-12 5Q0-13 12 5');
const lid = stroke('M-12-3Q0 11 12-3');

const eyesOf: Readonly<Record<Eyes, readonly [left: string, right: string]>> = {
  open: [dot, dot],
  happy: [arch, arch],
  closed: [lid, lid],
  wide: [wideEye(), wideEye()],
  hearts: [move(heart(), 0, 2, -8, 0.62), move(heart(), 0, 2, 8, 0.62)],
  wink: [dot, stroke('M12-9L-8 1L12 9')],
  angry: [dot + stroke('M-14-23L12-15'), dot + stroke('M14-23L-12-15')],
  sad: [dot + stroke('M-14-16L10-25'), dot + stroke('M14-16L-10-25')],
  stars: [sparkle(), sparkle()],
  up: [upward, upward],
};

const mouthOf: Readonly<Record<Mouth, string>> = {
  smile: stroke('M-17-4Q0 17 17-4'),
  laugh: openMouth('M-22-6H22Q20 25 0 25Q-20 25-22-6Z', 'M-13 17Q0 6 13 17Q7 24 0 24Q-7 24-13 17Z'),
  o: ellipse(0, 5, 10, 13, '#7d2d2a', outline()),
  flat: stroke('M-14 2H14'),
  sad: stroke('M-16 10Q0-9 16 10'),
  wavy: stroke('M-20 4Q-13-7-7 3T7 3T20 2'),
  tongue: openMouth('M-20-5H20Q18 12 0 12Q-18 12-20-5Z', 'M-9 5H9V18Q9 27 0 27Q-9 27-9 18Z', true),
  small: stroke('M-9-1Q0 8 9-1'),
  kiss: stroke('M-3-9Q13-5 1 0Q13 5-3 10'),
  cry: openMouth('M-19 20Q-19-6 0-6Q19-6 19 20Q0 12-19 20Z', 'M-10 14Q0 5 10 14Q0 11-10 14Z'),
};

function outline() {
  return { stroke: ink, 'stroke-width': LINE - 2 };
}

function wideEye(): string {
  return ellipse(0, 0, 15, 17, white, outline()) + ellipse(0, 0, 6, 7, ink);
}

function sparkle(): string {
  return `<path d="M0-19Q3-4 17 0Q3 4 0 19Q-3 4-17 0Q-3-4 0-19Z" fill="${colours.sun}" stroke="${ink}" stroke-width="${LINE - 2}" stroke-linejoin="round"/>`;
}

function openMouth(lips: string, tongue: string, tongueOutlined = false): string {
  const edge = `stroke="${ink}" stroke-width="${LINE - 1}" stroke-linejoin="round"`;
  return `<path d="${lips}" fill="#7d2d2a" ${edge}/><path d="${tongue}" fill="#ef7f74"${tongueOutlined ? ` ${edge}` : ''}/>`;
}

/** Draws a face whose eyes are at the origin. */
export function face({ eyes, mouth, apart, below, size = 1, tears = false }: Face): string {
  const [left, right] = eyesOf[eyes];
  const cheeks = [-1, 1].map((side) =>
    ellipse(side * (apart + 15), round(below * 0.62), 11, 7.5, blush, { opacity: 0.75 }),
  );
  const weeping = tears ? move(drop(0.75), -apart - 2, 14) + move(drop(0.75), apart + 2, 14) : '';
  const parts =
    cheeks.join('') + move(left, -apart, 0) + move(right, apart, 0) + move(mouthOf[mouth], 0, below) + weeping;
  return move(parts, 0, 0, 0, size);
}
