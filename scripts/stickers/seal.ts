// Draws the character Wax: a young seal with spots, whiskers and lively flippers.
import { colours, ellipse, move, shape, stroke, turn } from './drawing.ts';
import { type Eyes, face, type Mouth } from './face.ts';

export interface Seal {
  readonly eyes: Eyes;
  readonly mouth: Mouth;
  /** The angle in degrees by which the flipper is raised; at 0 it hangs down. */
  readonly left?: number;
  readonly right?: number;
  /** The angle in degrees by which the head leans to one side. */
  readonly head?: number;
  /** The height of the body: 1 is normal, less is squashed, more is stretched. */
  readonly stretch?: number;
  readonly tears?: boolean;
  /** The angle in degrees by which the tail is spread. */
  readonly tail?: number;
}

const { ink, seal: fur, sealDark, belly } = colours;
const GROUND = 110;

const flipper = (side: -1 | 1, raised: number): string =>
  turn(
    shape(
      `M${side * 58} 4Q${side * 96} 22 ${side * 104} 66Q${side * 106} 82 ${side * 90} 76Q${side * 66} 62 ${side * 54} 42Q${side * 40} 18 ${side * 58} 4Z`,
      sealDark,
    ),
    side * -raised,
    side * 60,
    18,
  );

const tailOf = (spread: number): string =>
  [-1, 1]
    .map((side) =>
      turn(
        shape(
          `M0 96Q${side * 54} 82 ${side * 98} 102Q${side * 112} 114 ${side * 92} 116Q${side * 40} 122 0 112Z`,
          sealDark,
        ),
        side * -spread,
        side * 20,
        108,
      ),
    )
    .join('');

function headOf({ eyes, mouth, tears = false }: Seal): string {
  const whiskers = [-1, 1]
    .map((side) => stroke(`M${side * 40} 14L${side * 78} 6M${side * 40} 22L${side * 80} 24`, ink, 4))
    .join('');
  const muzzle =
    ellipse(-17, 18, 24, 19, belly) +
    ellipse(17, 18, 24, 19, belly) +
    shape('M-12 0Q0-7 12 0Q8 13 0 13Q-8 13-12 0Z', ink, { 'stroke-width': 3 });
  const spots =
    ellipse(-34, -62, 9, 6, sealDark) + ellipse(-14, -74, 7, 5, sealDark) + ellipse(30, -68, 8, 6, sealDark);
  return move(
    spots + whiskers + move(muzzle, 0, 0) + move(face({ eyes, mouth, apart: 40, below: 44, tears }), 0, -16),
    0,
    -38,
  );
}

/** Draws the seal. The origin is in its middle, and it stands at y = 110. */
export function seal(pose: Seal): string {
  const { left = 0, right = 0, head = 0, stretch = 1, tail = 0 } = pose;
  const body = shape(
    'M0-130C58-130 82-92 80-46C79-14 98 32 92 72C88 104 56 112 0 112C-56 112-88 104-92 72C-98 32-79-14-80-46C-82-92-58-130 0-130Z',
    fur,
  );
  const front =
    ellipse(0, 66, 56, 40, belly) +
    ellipse(-70, 62, 7, 10, sealDark) +
    ellipse(72, 50, 6, 9, sealDark) +
    ellipse(68, 80, 8, 6, sealDark);
  const drawing =
    tailOf(tail) + body + front + turn(headOf(pose), head, 0, -20) + flipper(-1, left) + flipper(1, right);
  return `<g transform="translate(0 ${GROUND}) scale(${(2 - stretch).toFixed(3)} ${stretch.toFixed(3)}) translate(0 ${-GROUND})">${drawing}</g>`;
}
