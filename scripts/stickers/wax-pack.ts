// The sticker pack of Wax the seal: eight short animations. An animation is a function that returns a drawing for a
// phase between 0 and 1. The drawings of the phases 0 and 1 are equal.
import { colours, ellipse, heart, letterZ, move, shape, star, stroke } from './drawing.ts';
import { seal } from './seal.ts';

export interface Animation {
  readonly name: string;
  readonly text: string;
  readonly at: (phase: number) => string;
}

const { ink, sun, wax, green, sky, pink } = colours;
const wave = (phase: number, times = 1): number => Math.sin(2 * Math.PI * phase * times);
/** Returns the height of a hop at a phase: 0 at the beginning and the end, 1 in the middle. */
const hop = (phase: number, times = 1): number => Math.abs(Math.sin(Math.PI * phase * times));
const standing = (content: string, y = 24, degrees = 0): string => move(content, 0, y, degrees, 0.96);

function ball(turned: number): string {
  const stripes = stroke('M0-30Q-22 0 0 30M0-30Q22 0 0 30', ink, 5);
  return move(
    ellipse(0, 0, 30, 30, sun, { stroke: ink, 'stroke-width': 7 }) +
      shape('M0-30Q-22 0 0 30Q22 0 0-30Z', wax, { 'stroke-width': 5 }) +
      stripes,
    0,
    0,
    turned,
  );
}

/**
 * Draws something that rises, and then starts again from below. `start` shifts the phase, so that several things rise
 * at different times.
 */
const rising = (draw: (progress: number) => string, phase: number, start: number): string => draw((phase + start) % 1);

const tearsAt = (phase: number): string =>
  [-1, 1]
    .flatMap((side) => [0, 0.5].map((start) => ({ side, progress: (phase + start) % 1 })))
    .map(({ side, progress }) =>
      move(
        ellipse(0, 0, 9, 12, sky, { stroke: ink, 'stroke-width': 5 }),
        side * (60 + 62 * progress),
        -34 + 150 * progress * progress - 40 * progress,
        side * -35 * (1 - progress),
      ),
    )
    .join('');

const confettiAt = (phase: number): string =>
  Array.from({ length: 12 }, (_, i) => {
    const fall = (phase + i * 0.29) % 1;
    const fill = [wax, green, sun, sky][i % 4] as string;
    const x = -138 + i * 25 + 8 * wave(phase, 1);
    return move(shape('M-8-5H8V5H-8Z', fill, { 'stroke-width': 4 }), x, -170 + 330 * fall, 360 * fall + i * 40);
  }).join('');

const hat =
  shape('M-30 22L0-46L30 22Q0 34-30 22Z', green) +
  stroke('M-19-2L22 6', sun, 7) +
  ellipse(0, -46, 9, 9, sun, { stroke: ink, 'stroke-width': 5 });

export const waxPack: readonly Animation[] = [
  {
    name: 'hi',
    text: '[Hi!]',
    at: (p) => standing(seal({ eyes: 'open', mouth: 'laugh', right: 96 + 20 * wave(p, 2), head: 3 * wave(p) })),
  },
  {
    name: 'clap',
    text: '[Bravo!]',
    at: (p) =>
      standing(
        seal({
          eyes: 'happy',
          mouth: 'laugh',
          left: -28 + 26 * wave(p, 2),
          right: -28 + 26 * wave(p, 2),
          stretch: 1 + 0.02 * wave(p, 2),
        }),
      ) +
      move(star(), -112, -96 + 6 * wave(p), 12 * wave(p), 0.8) +
      move(star(), 112, -104 - 6 * wave(p), -12 * wave(p), 0.65),
  },
  {
    name: 'love',
    text: '[Love you]',
    at: (p) =>
      standing(seal({ eyes: 'hearts', mouth: 'smile', left: 24, right: 24, head: 5 * wave(p) })) +
      [-116, 112, -84]
        .map((x, i) =>
          rising(
            (q) =>
              move(
                heart(i === 1 ? wax : pink),
                x + 8 * wave(q),
                60 - 190 * q,
                10 * wave(q),
                0.35 + 0.5 * Math.sin(Math.PI * q),
              ),
            p,
            i / 3,
          ),
        )
        .join(''),
  },
  {
    name: 'rofl',
    text: '[So funny]',
    at: (p) =>
      standing(
        seal({
          eyes: 'happy',
          mouth: 'laugh',
          left: 20 + 12 * wave(p, 3),
          right: 20 - 12 * wave(p, 3),
          stretch: 1 + 0.05 * wave(p, 3),
          tail: 8 * hop(p, 3),
        }),
        24,
        5 * wave(p),
      ),
  },
  {
    name: 'sleep',
    text: '[Zzz]',
    at: (p) =>
      standing(seal({ eyes: 'closed', mouth: 'small', head: 9 + 2 * wave(p), stretch: 0.97 + 0.025 * wave(p) })) +
      [0, 1 / 3, 2 / 3]
        .map((start) =>
          rising(
            (q) =>
              move(
                letterZ(5 + 8 * q),
                78 + 46 * q + 5 * wave(q),
                -70 - 74 * q,
                10 * wave(q),
                Math.min(1, 3.9 * (1 - q)),
              ),
            p,
            start,
          ),
        )
        .join(''),
  },
  {
    name: 'ball',
    text: '[Playtime]',
    at: (p) =>
      standing(
        seal({
          eyes: 'up',
          mouth: 'smile',
          left: 46 + 14 * wave(p),
          right: 46 - 14 * wave(p),
          stretch: 0.86 - 0.03 * (1 - hop(p)),
        }),
        32,
      ) + move(ball(360 * p), 0, -86 - 34 * hop(p) + 6),
  },
  {
    name: 'sad',
    text: '[Boo hoo]',
    at: (p) =>
      standing(
        seal({
          eyes: 'closed',
          mouth: 'cry',
          left: 8 + 6 * wave(p, 2),
          right: 8 + 6 * wave(p, 2),
          head: 2 * wave(p, 2),
        }),
      ) + tearsAt(p),
  },
  {
    name: 'party',
    text: '[Party!]',
    at: (p) =>
      standing(
        seal({
          eyes: 'happy',
          mouth: 'laugh',
          left: 70 + 40 * wave(p),
          right: 70 - 40 * wave(p),
          stretch: 0.94 + 0.04 * hop(p, 2),
          tail: 6,
        }) + move(hat, 0, -132),
        38 - 16 * hop(p, 2),
        6 * wave(p),
      ) + confettiAt(p),
  },
];
