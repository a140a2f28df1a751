// Draws the character Lettie: a letter with a wax seal as its nose.
import { colours, ellipse, LINE, move, shape, stroke, waxSeal } from './drawing.ts';
import { type Eyes, face, type Mouth } from './face.ts';

export interface Letter {
  readonly eyes: Eyes;
  readonly mouth: Mouth;
  /** The direction from shoulder to hand, in degrees: -90 is straight up, 0 is straight out, 90 is straight down. */
  readonly left?: number;
  readonly right?: number;
  readonly legs?: 'stand' | 'run' | 'jump' | 'none';
  readonly tears?: boolean;
}

const { ink, paper, fold, white } = colours;
const ARM = 44;

/** Draws an arm with a round hand at the side of the letter. */
function arm(side: -1 | 1, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [side * Math.cos(angle) * ARM, Math.sin(angle) * ARM];
  const bend = `${side * 20} ${y * 0.5 + (degrees < 20 ? 10 : 0)}`;
  const hand = ellipse(x, y, 12, 12, white, { stroke: ink, 'stroke-width': LINE });
  return move(stroke(`M${side * -6} 0Q${bend} ${x} ${y}`, ink, LINE + 2) + hand, side * 100, 22);
}

function legs(kind: NonNullable<Letter['legs']>): string {
  const foot = (x: number, y: number, degrees = 0) =>
    move(shape('M-13 7Q-15-9 0-9Q19-9 19 7Z', colours.green), x, y, degrees);
  if (kind === 'none') return '';
  if (kind === 'run') {
    return (
      stroke('M-40 70Q-62 84-78 84', ink, LINE + 2) +
      foot(-84, 82, 60) +
      stroke('M42 70Q54 90 74 92', ink, LINE + 2) +
      foot(78, 94, -12)
    );
  }
  if (kind === 'jump') {
    return (
      stroke('M-42 70Q-60 82-54 96', ink, LINE + 2) +
      foot(-56, 98, 20) +
      stroke('M42 70Q60 82 54 96', ink, LINE + 2) +
      foot(54, 98, -14)
    );
  }
  return stroke('M-40 70V92', ink, LINE + 2) + foot(-40, 98) + stroke('M40 70V92', ink, LINE + 2) + foot(42, 98);
}

/** Draws the letter around the origin, about 200 x 150 without arms and legs. */
export function letter({ eyes, mouth, left = 60, right = 60, legs: stance = 'stand', tears = false }: Letter): string {
  return [
    legs(stance),
    arm(-1, left),
    arm(1, right),
    shape('M-92-72H92Q104-72 104-60V60Q104 72 92 72H-92Q-104 72-104 60V-60Q-104-72-92-72Z', paper),
    stroke('M-100 66L-52 22M100 66L52 22', '#e3c88f', LINE - 1),
    shape('M-99-68Q-92-72-84-72H84Q92-72 99-68L12-2Q0 7-12-2Z', fold),
    move(face({ eyes, mouth, apart: 60, below: 42, tears }), 0, 8),
    move(waxSeal(21), 0, 4),
  ].join('');
}
