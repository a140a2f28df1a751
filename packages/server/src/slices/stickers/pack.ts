// Reads a pack as its author provides it: the file pack.json and the pictures that it names.

import { hash } from 'node:crypto';
import { productTypes, stickerResourceTypes, sticonResourceTypes } from '@sealpost/contract';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { unstorable, unstorableIn } from '../../platform/kernel/storable-text.ts';
import { readPng } from './png.ts';

/** Error for the pack's author that says why the pack is refused. */
export class InvalidPack extends Error {
  override name = 'InvalidPack';
}

export interface Picture {
  readonly text: string;
  readonly still: Buffer;
  readonly animation: Buffer | undefined;
  /** Sound in M4A that plays with the picture; undefined if the sticker has none. */
  readonly sound: Buffer | undefined;
}

export interface Pack {
  readonly type: typeof productTypes.STICKER | typeof productTypes.STICON;
  readonly name: string;
  /** The pack's name by language code of two letters. */
  readonly names: Readonly<Record<string, string>>;
  readonly author: string;
  readonly resourceType: number;
  /**
   * Maximum number of characters in the text that an owner may put on the stickers; 0 for a pack without such texts.
   */
  readonly nameTextLength: number;
  /** Hash of pack.json, the pictures and the sounds. */
  readonly hash: string;
  readonly pictures: readonly Picture[];
}

export const packLimits = {
  pictures: 100,
  pictureBytes: 1024 * 1024,
  pixels: 1024,
  packBytes: 32 * 1024 * 1024,
} as const;

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const PackFile = Type.Object(
  {
    name: Name,
    names: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]{2}$' }), Name)),
    author: Name,
    kind: Type.Enum(['stickers', 'emoji']),
    nameText: Type.Optional(Type.Object({ maxCharacters: Type.Integer({ minimum: 1, maximum: 30 }) })),
    pictures: Type.Array(
      Type.Object({
        file: Type.String({ pattern: '^[\\w-]{1,60}\\.png$' }),
        sound: Type.Optional(Type.String({ pattern: '^[\\w-]{1,60}\\.m4a$' })),
        text: Type.String({ maxLength: 100 }),
      }),
      { minItems: 1, maxItems: packLimits.pictures },
    ),
  },
  { additionalProperties: false },
);
const packFile = Compile(PackFile);

/**
 * Returns the pack in the files of a zip.
 * @throws InvalidPack if the files are not a valid pack
 */
export function readPack(files: ReadonlyMap<string, Buffer>): Pack {
  const json = files.get('pack.json');
  if (!json) throw new InvalidPack('there is no pack.json');
  const described = parse(json);
  const named = described.pictures.flatMap(({ file, sound }) => [file, ...(sound ? [sound] : [])]);
  const twice = named.find((file, i) => named.indexOf(file) < i);
  if (twice !== undefined) throw new InvalidPack(`${twice} is named twice in pack.json; a file is for one picture`);
  const pictures = described.pictures.map((picture) => pictureOf(picture, files));
  const animated = allOrNone(pictures, 'animation', 'are animated');
  const sounding = allOrNone(pictures, 'sound', 'have a sound');
  const { name, names = {}, author, kind, nameText } = described;
  const nameTextLength = nameText?.maxCharacters ?? 0;
  if (sounding && kind === 'emoji') throw new InvalidPack('sound: only stickers have sounds');
  if (nameText && (kind === 'emoji' || animated || sounding))
    throw new InvalidPack('nameText: only still stickers without sounds take a text');
  return {
    type: kind === 'emoji' ? productTypes.STICON : productTypes.STICKER,
    name,
    names,
    author,
    resourceType: resourceTypeOf(kind, { animated, sounding, nameText: nameTextLength > 0 }),
    nameTextLength,
    hash: hashOf(json, pictures),
    pictures,
  };
}

function parse(json: Buffer): Static<typeof PackFile> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch (error) {
    throw new InvalidPack(`pack.json is not JSON: ${(error as Error).message}`);
  }
  const path = unstorableIn(value, 'pack.json');
  if (path !== undefined) throw new InvalidPack(unstorable(path));
  if (packFile.Check(value)) return value;
  const [first] = packFile.Errors(value);
  throw new InvalidPack(`pack.json: ${first?.instancePath.slice(1) || 'the whole'} ${first?.message}`);
}

/**
 * Returns whether all pictures have what `what` names: an animation or a sound. Throws if only some pictures have it.
 */
function allOrNone(pictures: readonly Picture[], what: 'animation' | 'sound', words: string): boolean {
  const count = pictures.filter((picture) => picture[what]).length;
  if (count === 0 || count === pictures.length) return count > 0;
  throw new InvalidPack(`${count} of ${pictures.length} pictures ${words}; all must, or none`);
}

function fileOf(file: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const bytes = files.get(file);
  if (!bytes) throw new InvalidPack(`${file} is named in pack.json and not there`);
  if (bytes.length > packLimits.pictureBytes) {
    throw new InvalidPack(`${file} has ${bytes.length} bytes; at most ${packLimits.pictureBytes}`);
  }
  return bytes;
}

/** Returns whether bytes are an M4A sound. The first box of an M4A file names its type. */
const isM4a = (bytes: Buffer): boolean => /^ftyp(M4A |mp42|isom)/.test(bytes.toString('latin1', 4, 12));

function soundOf(file: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const bytes = fileOf(file, files);
  if (!isM4a(bytes)) throw new InvalidPack(`${file} is not an M4A sound`);
  return bytes;
}

type DescribedPicture = Static<typeof PackFile>['pictures'][number];

function pictureOf({ file, text, sound }: DescribedPicture, files: ReadonlyMap<string, Buffer>): Picture {
  const bytes = fileOf(file, files);
  const png = readPng(bytes);
  if (!png) throw new InvalidPack(`${file} is not a PNG picture`);
  const { width, height, still, animation } = png;
  if (width < 1 || height < 1 || width > packLimits.pixels || height > packLimits.pixels) {
    throw new InvalidPack(`${file} is ${width} x ${height} pixels; at most ${packLimits.pixels} each way`);
  }
  return { text, still, animation, sound: sound === undefined ? undefined : soundOf(sound, files) };
}

interface Kinds {
  readonly animated: boolean;
  readonly sounding: boolean;
  readonly nameText: boolean;
}

function resourceTypeOf(kind: 'stickers' | 'emoji', { animated, sounding, nameText }: Kinds): number {
  if (kind === 'emoji') return animated ? sticonResourceTypes.ANIMATION : sticonResourceTypes.STATIC;
  if (nameText) return stickerResourceTypes.NAME_TEXT;
  if (sounding) return animated ? stickerResourceTypes.ANIMATION_SOUND : stickerResourceTypes.SOUND;
  return animated ? stickerResourceTypes.ANIMATION : stickerResourceTypes.STATIC;
}

function hashOf(json: Buffer, pictures: readonly Picture[]): string {
  const sounds = pictures.flatMap(({ sound }) => sound ?? []);
  const parts = [json, ...pictures.map(({ animation, still }) => animation ?? still), ...sounds];
  return hash('sha256', parts.map((part) => hash('sha256', part)).join(' '));
}
