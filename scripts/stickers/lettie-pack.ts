// The sticker pack of Lettie the letter: sixteen still pictures for common situations in a chat.
import { colours, drop, ellipse, heart, letterZ, move, shape, star, stroke } from './drawing.ts';
import { letter } from './letter.ts';

export interface StillPicture {
  readonly name: string;
  /** The text that replaces the sticker in places where it cannot be shown. */
  readonly text: string;
  readonly drawing: string;
}

const { ink, sun, wax, green, sky, white, pink, sealDark } = colours;

const question = stroke('M-16-18Q-14-36 2-36Q20-36 20-18Q20-6 2 2V12', ink, 11) + ellipse(2, 32, 7, 7, ink);
const bang = stroke('M0-32V10', wax, 12) + ellipse(0, 32, 7.5, 7.5, wax);
const tick = stroke('M-22 2L-6 18L24-18', green, 14);
const speed = (y: number, width: number) => stroke(`M-150 ${y}h${width}`, sealDark, 6);
const moon = shape('M14-34A36 36 0 1 0 34 22A30 30 0 0 1 14-34Z', sun);
const confetti = (spots: readonly (readonly [number, number, number, string])[]) =>
  spots
    .map(([x, y, degrees, fill]) => move(shape('M-7-4H7V4H-7Z', fill, { 'stroke-width': 4 }), x, y, degrees))
    .join('');
const note = stroke('M-4 18V-26L22-34V10', ink, 6) + ellipse(-12, 18, 10, 8, ink) + ellipse(14, 10, 10, 8, ink);
const steam = stroke('M-14 0Q-24-12-14-22T-14-42M12 0Q2-12 12-22T12-42', sealDark, 6);

const cake = [
  stroke('M0-6V-30', green, 9),
  shape('M0-72Q22-48 0-30Q-22-48 0-72Z', sun, { 'stroke-width': 4 }),
  shape('M-44-6H44V36H-44Z', pink),
  shape('M-44-8H44V8Q33 22 22 8Q11 22 0 8Q-11 22-22 8Q-33 22-44 8Z', white, { 'stroke-width': 5 }),
].join('');

const cup = [
  shape('M-34-22H34V10Q34 32 12 32H-12Q-34 32-34 10Z', white),
  stroke('M34-12Q54-14 52 4Q50 18 32 14', ink, 7),
  shape('M-34-22H34V-8H-34Z', '#8a5a3c'),
].join('');

const cap =
  shape('M-46 12Q-40-44 14-46Q64-44 82 2Q54-14 46 12Z', '#6d7fc7') +
  ellipse(84, 6, 13, 13, white, { stroke: ink, 'stroke-width': 7 }) +
  shape('M-54 6H54V24H-54Z', white);
const small = (content: string, y = 12, degrees = 0) => move(content, 0, y, degrees, 0.9);

export const lettiePack: readonly StillPicture[] = [
  {
    name: 'hello',
    text: '[Hello!]',
    drawing:
      small(letter({ eyes: 'open', mouth: 'laugh', right: -62, left: 50 })) +
      stroke('M124-92Q136-84 140-70M132-112Q150-102 156-84', sealDark, 6),
  },
  {
    name: 'ok',
    text: '[OK]',
    drawing:
      small(letter({ eyes: 'wink', mouth: 'smile', right: -50, left: 40 })) +
      move(ellipse(0, 0, 40, 40, white, { stroke: ink, 'stroke-width': 7 }) + tick, 104, -98),
  },
  {
    name: 'thanks',
    text: '[Thank you]',
    drawing:
      small(letter({ eyes: 'happy', mouth: 'smile', left: 20, right: 20 }), 24, -4) +
      move(heart(), -70, -92, -14, 1.1) +
      move(heart(pink), 6, -112, 6, 0.8) +
      move(heart(), 74, -92, 16, 0.95),
  },
  {
    name: 'love',
    text: '[Love]',
    drawing:
      small(letter({ eyes: 'hearts', mouth: 'laugh', left: -40, right: -40 }), 18) +
      move(heart(pink), -88, -98, -18, 0.8) +
      move(heart(), 0, -108, 0, 1.05) +
      move(heart(pink), 88, -98, 18, 0.8),
  },
  {
    name: 'laugh',
    text: '[Ha ha ha]',
    drawing:
      small(letter({ eyes: 'happy', mouth: 'laugh', left: 10, right: 10, legs: 'jump' }), -4, -8) +
      move(drop(0.7), -122, -60, 60) +
      move(drop(0.7), 120, -80, -60),
  },
  {
    name: 'cry',
    text: '[Sob]',
    drawing:
      small(letter({ eyes: 'closed', mouth: 'cry', left: 70, right: 70, tears: true })) +
      ellipse(-64, 132, 34, 9, sky) +
      ellipse(66, 134, 34, 9, sky),
  },
  {
    name: 'angry',
    text: '[Grrr]',
    drawing:
      small(letter({ eyes: 'angry', mouth: 'wavy', left: 85, right: 85 })) +
      move(steam, -84, -84, -24, 0.9) +
      move(steam, 88, -84, 24, 0.9),
  },
  {
    name: 'surprised',
    text: '[What?!]',
    drawing:
      small(letter({ eyes: 'wide', mouth: 'o', left: -55, right: -55, legs: 'jump' }), 4) +
      move(bang, -22, -116, -10, 0.95) +
      move(bang, 24, -116, 10, 0.95),
  },
  {
    name: 'thinking',
    text: '[Hmm…]',
    drawing:
      small(letter({ eyes: 'up', mouth: 'flat', right: -20, left: 70 })) +
      ellipse(70, -76, 8, 8, white, { stroke: ink, 'stroke-width': 6 }) +
      ellipse(92, -100, 12, 12, white, { stroke: ink, 'stroke-width': 6 }) +
      move(question, 126, -112, 10, 0.7),
  },
  {
    name: 'sorry',
    text: '[Sorry]',
    drawing:
      small(letter({ eyes: 'sad', mouth: 'sad', left: 82, right: 82 }), 16, 4) +
      move(drop(1), 96, -96, 12) +
      stroke('M-98-104V-78M-74-112V-82M-50-104V-78', sealDark, 6),
  },
  {
    name: 'hurray',
    text: '[Hurray!]',
    drawing:
      small(letter({ eyes: 'happy', mouth: 'laugh', left: -68, right: -68, legs: 'jump' }), 14) +
      confetti([
        [-120, -110, 20, wax],
        [-84, -134, -30, green],
        [-36, -112, 50, sun],
        [8, -136, 10, sky],
        [48, -110, -40, wax],
        [92, -132, 30, sun],
        [126, -104, -10, green],
      ]),
  },
  {
    name: 'on-my-way',
    text: '[On my way]',
    drawing:
      move(letter({ eyes: 'open', mouth: 'laugh', left: 30, right: -30, legs: 'run' }), 22, 4, 9, 0.88) +
      speed(-40, 34) +
      speed(0, 22) +
      speed(40, 38) +
      ellipse(-110, 116, 16, 9, '#d9d2c5') +
      ellipse(-84, 124, 11, 7, '#d9d2c5'),
  },
  {
    name: 'good-night',
    text: '[Good night]',
    drawing:
      small(letter({ eyes: 'closed', mouth: 'small', left: 75, right: 75 }), 28) +
      move(cap, -30, -46, -6, 0.95) +
      move(moon, 116, -96, 0, 0.8) +
      move(letterZ(9), 62, -124) +
      move(letterZ(6), 84, -142),
  },
  {
    name: 'birthday',
    text: '[Happy birthday]',
    drawing:
      move(letter({ eyes: 'stars', mouth: 'laugh', left: -50, right: 10 }), -26, 0, -3, 0.82) +
      move(cake, 94, 88, 0, 1.2) +
      confetti([
        [-128, -80, 20, sky],
        [-60, -116, -20, wax],
        [0, -104, 30, sun],
        [66, -116, 0, green],
        [122, -76, 40, wax],
      ]),
  },
  {
    name: 'coffee',
    text: '[Coffee break]',
    drawing:
      small(letter({ eyes: 'happy', mouth: 'small', left: 60, right: 10 })) +
      move(cup, 112, 34, 0, 0.85) +
      move(steam, 112, 4, 0, 0.8),
  },
  {
    name: 'singing',
    text: '[La la la]',
    drawing:
      small(letter({ eyes: 'closed', mouth: 'o', left: -30, right: 30 }), 16, -6) +
      move(note, -92, -96, -10, 1) +
      move(note, 76, -104, 12, 1.1) +
      move(star(), 0, -116, 0, 0.7),
  },
];
