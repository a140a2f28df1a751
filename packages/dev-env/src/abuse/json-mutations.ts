// Mutations of a JSON body: values in any place, fields and lists, and the text itself.
import { bodyWith, type Path, placesIn, wrongValues } from '@sealpost/conformance/testing';
import type { Random } from '../workload/random.ts';

const usualValues: readonly string[] = [
  ...Object.values(wrongValues).filter((text) => text.length < 1000),
  ...['false', '1', '2', '-0', '0.1e-7', '1e308', '-1e400', '2147483647', '-2147483649', '4294967296'],
  ...['9223372036854775807', '-9223372036854775809', '1e2', '1.0', '"0"', '"-1"', '"NaN"', '"Infinity"', '"1e3"'],
  ...['"9223372036854775807"', '"-9223372036854775809"', '"00000000000000000001"', '"\\u0001\\u001f\\u007f"'],
  ...['"\\udc00\\ud800"', '"\\ufeff"', '"\\u202e\\u2066"', '"\\u0065\\u0301\\u0301\\u0301"', '"\\ud83d\\udc69\\u200d"'],
  ...['"__proto__"', '"hasOwnProperty"', '"toString"', '"../../../etc/passwd"', '"%00%2e%2e"', '"http://127.0.0.1:1/"'],
  ...[
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"__proto__":{"admin":true}}',
    '{"toString":1}',
    '{"length":-1}',
  ],
  ...['[null]', '[[]]', '[{}]', '[1,"1",null]', '["",""]', '{"":""}', '{"0":0}', '{"2":"QQ=="}', '"AAAA"', '"===="'],
];
const wideValues: readonly string[] = [
  ...Object.values(wrongValues).filter((text) => text.length >= 1000 && text.length < 200_000),
  `[${'0,'.repeat(2000)}0]`,
  `["${Array.from({ length: 500 }, (_, n) => `u${String(n).padStart(32, '0')}`).join('","')}"]`,
  `{${Array.from({ length: 1000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  `"${'\u0301'.repeat(5000)}"`,
  `"${'\\u0000'.repeat(2000)}"`,
  `"${'QUJD'.repeat(10_000)}"`,
];
/** One in so many values is wide. Wide values take long to send, and most of them are refused for their length. */
const WIDE = 40;

const someValue = (random: Random): string => random.pick(random.oneIn(WIDE) ? wideValues : usualValues);

const at = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), json);

/** Returns the text of a number or an id near to the one that is there, or of the value in another place. */
function nearTo(json: unknown, path: Path, places: readonly Path[], random: Random): string {
  const value = at(json, path);
  if (typeof value === 'number') return String(value + random.pick([-1, 1, 2, 256, 65_536]));
  if (typeof value === 'string' && value.length > 0 && random.oneIn(2)) {
    const cut = random.below(value.length);
    const piece = random.pick(['', '0', 'f', '\u0000', ' ', '\u00e9', value]);
    return JSON.stringify(value.slice(0, cut) + piece + value.slice(cut + 1));
  }
  return JSON.stringify(at(json, random.pick(places)));
}

const MARK = 'the abused place';

/** Returns the text with fields or items added, left out or doubled around one place. */
function reshaped(json: unknown, path: Path, random: Random): string {
  const text = bodyWith(Array.isArray(json) ? json : [json], Array.isArray(json) ? path : [0, ...path], `"${MARK}"`);
  const whole = Array.isArray(json) ? text : text.slice(1, -1);
  const key = JSON.stringify(path.at(-1));
  const kept = JSON.stringify(at(json, path));
  const value = someValue(random);
  const inField = typeof path.at(-1) === 'string';
  const replacements = inField
    ? [
        `${kept},"unknown":null`,
        `${kept},${key}:${value}`,
        `${value},${key}:${kept}`,
        `${kept},"extra":${value}`,
        `${kept},"__proto__":${value}`,
      ]
    : [`${kept},${value}`, `${value},${kept}`, `${kept},${kept},${kept}`, `[${kept}]`, `{"0":${kept}}`];
  return whole.replace(`"${MARK}"`, () => random.pick(replacements));
}

/** Returns the text of a JSON value with one to three places changed. */
export function changedValue(json: unknown, random: Random): string {
  const places = placesIn(json);
  if (places.length === 0) return random.oneIn(2) ? `[${someValue(random)}]` : someValue(random);
  const path = random.pick(places);
  if (random.oneIn(5)) return reshaped(json, path, random);
  const text = random.oneIn(4) ? nearTo(json, path, places, random) : someValue(random);
  const list = Array.isArray(json);
  const changed = bodyWith(list ? json : [json], list ? path : [0, ...path], text);
  return list ? changed : changed.slice(1, -1);
}

const openings = ['[', '{"a":', '[{"a":['];
const pieces = [
  '\u0000',
  '\ufeff',
  '//',
  '/**/',
  "'",
  ',',
  ':',
  '}',
  ']',
  '{',
  '"',
  '\\',
  '\\u',
  'NaN',
  '\t',
  '\u2028',
];
const badBytes = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]];

/** Returns the bytes of a body whose JSON text is damaged, or wrapped in something. */
export function changedText(body: Buffer, random: Random): Buffer {
  const cut = random.below(body.length + 1);
  const [head, tail] = [body.subarray(0, cut), body.subarray(cut)];
  const between = (piece: string | readonly number[]) =>
    Buffer.concat([head, typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece), tail]);
  switch (random.below(9)) {
    case 0:
      return head;
    case 1:
      return Buffer.concat([body, body]);
    case 2:
      return between(random.pick(badBytes));
    case 3: {
      const flipped = Buffer.from(body);
      if (cut < body.length) flipped[cut] = (flipped[cut] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    case 4: {
      const depth = random.pick([31, 32, 33, 100, 2000]);
      return Buffer.concat([Buffer.from(random.pick(openings).repeat(depth)), body]);
    }
    case 5: {
      const depth = random.pick([1, 30, 31, 32, 33, 500]);
      return Buffer.concat([Buffer.from('['.repeat(depth)), body, Buffer.from(']'.repeat(depth))]);
    }
    case 6:
      return Buffer.from(
        body.toString().replaceAll('{', () => `{"k":1,"${random.pick(['k', '\\u006b', '__proto__'])}":2,`),
      );
    case 7:
      return Buffer.from(body.toString(), random.pick(['utf16le', 'latin1', 'utf8'] as const));
    default:
      return between(random.pick(pieces));
  }
}
