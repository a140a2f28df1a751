// Pictures without metadata keep their pixels and their orientation. Everything else that was written into the file is
// gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { BrokenPicture, withoutMetadata } from '../src/media/picture-metadata/index.ts';

/** The text that must not remain in any place where a picture can have metadata. */
const SECRET = 'Ann at 53.5503 N, 9.9920 E';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`;
const exif = { IFD0: { Artist: SECRET, Copyright: SECRET, ImageDescription: SECRET } };

/** Returns a picture with noise and an edge, so that a pixel that moved is noticed. */
const drawing = (pages = 1) => {
  const [width, height] = [37, 23 * pages];
  const pixels = Buffer.from(Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * i * 31) % 251));
  return sharp(pixels, { raw: { width, height, channels: 3, ...(pages > 1 && { pageHeight: 23 }) } });
};
const written = (pages?: number, orientation = 6) =>
  drawing(pages).withMetadata({ orientation }).withExifMerge(exif).withXmp(XMP).withIccProfile('p3');

const u32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 255));
const jpegSegment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]), content]);
function pngChunk(type: string, content: string): Buffer {
  const checked = Buffer.from(type + content, 'latin1');
  return Buffer.concat([u32(content.length), checked, u32(crc32(checked))]);
}
const gifExtension = (label: number, head: string, text: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...[head, text].filter(Boolean).map((part) => Buffer.from(String.fromCharCode(part.length) + part, 'latin1')),
    Buffer.from([0]),
  ]);
const inserted = (bytes: Buffer, at: number, ...pieces: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...pieces, bytes.subarray(at)]);

/** Returns a JPEG with metadata in every place where a camera or an editor may write. */
async function fullJpeg(progressive: boolean): Promise<Buffer> {
  const jpeg = await written().jpeg({ progressive }).toBuffer();
  const text = Buffer.from(SECRET);
  const more = [0xe2, 0xe3, 0xed, 0xec, 0xef, 0xfe].map((marker) => jpegSegment(marker, text));
  const thumbnail = jpegSegment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), text]));
  return Buffer.concat([inserted(jpeg, 2, ...more, thumbnail), Buffer.from(SECRET)]);
}

async function fullPng(): Promise<Buffer> {
  const png = await written().png().toBuffer();
  const types = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'caBX', 'prVt'];
  return Buffer.concat([inserted(png, 33, ...types.map((type) => pngChunk(type, SECRET))), Buffer.from(SECRET)]);
}

async function fullGif(): Promise<Buffer> {
  const gif = await drawing(3)
    .gif({ delay: [50, 70, 90], loop: 2 })
    .toBuffer();
  const table = 3 * 2 ** (((gif[10] as number) & 7) + 1);
  const at = 13 + ((gif[10] as number) & 0x80 ? table : 0);
  const comment = gifExtension(0xfe, '', SECRET);
  const xmp = gifExtension(0xff, 'XMP DataXMP', SECRET);
  return Buffer.concat([inserted(gif, at, comment, xmp), Buffer.from(SECRET)]);
}

async function fullWebp(pages: number): Promise<Buffer> {
  const webp = await written(pages).webp({ lossless: true }).toBuffer();
  return Buffer.concat([webp, Buffer.from(SECRET)]);
}

const pictures: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a JPEG': () => fullJpeg(false),
  'a progressive JPEG': () => fullJpeg(true),
  'a JPEG in CMYK': () => drawing().toColourspace('cmyk').withExif(exif).jpeg().toBuffer(),
  'a PNG': fullPng,
  'a moving GIF': fullGif,
  'a WebP': () => fullWebp(1),
  'a moving WebP': () => fullWebp(3),
};

const strip = (bytes: Buffer): Buffer =>
  Buffer.from(withoutMetadata(Uint8Array.from(bytes)) ?? assert.fail('not stripped'));
const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();

for (const [name, make] of Object.entries(pictures)) {
  test(`${name} loses what was written into it, and looks the same`, async () => {
    const before = await make();
    assert.ok(before.includes(SECRET));
    const after = strip(before);
    assert.ok(!after.includes(SECRET) && !after.includes('xmpmeta'));
    assert.ok(before.length > after.length);
    const [was, is] = [await sharp(before).metadata(), await sharp(after).metadata()];
    for (const field of ['format', 'width', 'height', 'space', 'pages', 'loop', 'delay'] as const) {
      assert.deepEqual(is[field], was[field], field);
    }
    assert.equal(is.orientation ?? 1, was.orientation ?? 1);
    assert.deepEqual(is.icc, was.icc);
    assert.deepEqual([is.xmp, is.comments, is.iptc], [undefined, undefined, undefined]);
    assert.ok((await pixels(before)).equals(await pixels(after)));
    assert.ok((await sharp(before).rotate().raw().toBuffer()).equals(await sharp(after).rotate().raw().toBuffer()));
    assert.ok(strip(after).equals(after));
  });

  test(`${name} that is cut short or damaged is refused or stripped, and nothing else`, async () => {
    const before = await make();
    for (let length = 0; length < before.length; length += length < 1500 ? 1 : 97) {
      try {
        const left = withoutMetadata(Uint8Array.from(before.subarray(0, length)));
        // A file of up to 12 bytes is too short to recognize its format, so it does not count as a picture.
        if (length > 12 && left) assert.ok(!Buffer.from(left).includes(SECRET), `${length}`);
      } catch (error) {
        assert.ok(error instanceof BrokenPicture, `${length}: ${error}`);
      }
    }
    for (let at = 3; at < Math.min(before.length, 3000); at += 2) {
      for (const value of [0x00, 0xff, 0x7f]) {
        const hostile = Uint8Array.from(before);
        hostile[at] = value;
        try {
          withoutMetadata(hostile);
        } catch (error) {
          assert.ok(error instanceof BrokenPicture, `${at}: ${error}`);
        }
      }
    }
  });
}

test('a picture that lies upright has no Exif afterwards', async () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const before = await written(1, 1).toFormat(format).toBuffer();
    assert.ok((await sharp(before).metadata()).exif);
    const after = await sharp(strip(before)).metadata();
    assert.equal(after.exif, undefined);
  }
});

test('formats whose metadata cannot be removed are distinguished from bytes that are not a picture', async () => {
  const avif = await drawing().avif().toBuffer();
  const tiff = await drawing().tiff().toBuffer();
  for (const bytes of [avif, tiff]) assert.equal(withoutMetadata(Uint8Array.from(bytes)), undefined);
  for (const text of ['', 'hello', '<svg/>', 'RIFF', 'BM and more']) {
    const bytes = Uint8Array.from(Buffer.from(text));
    assert.equal(withoutMetadata(bytes), bytes);
  }
});
