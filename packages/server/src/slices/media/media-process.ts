// The child process that reads pictures, audio and video, so that a malicious file can harm only this process. Each
// message from the parent process holds one file. The parent kills this process if a file takes too long.
import { fileTypeFromBuffer } from 'file-type';
import { parseBuffer } from 'music-metadata';
import sharp from 'sharp';
import type { Examination, Job, Picture } from './examiner.ts';

/**
 * Maximum number of pixels in a picture; a larger picture is not decoded. Decoding this many pixels takes about 100 MB
 * of memory.
 */
const PIXELS = 25_000_000;
/**
 * Types of pictures that are decoded. No other file reaches a decoder. An SVG, for example, could run scripts in it.
 */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const TIMED = /^(audio|video)\//;

sharp.cache(false);
sharp.concurrency(1);

async function readPicture({ bytes, edges }: Job): Promise<Examination & { readonly picture: Picture }> {
  const options = { limitInputPixels: PIXELS, pages: 1, failOn: 'error', sequentialRead: true } as const;
  const { width, height, format, orientation } = await sharp(bytes, options).metadata();
  const turned = (orientation ?? 1) >= 5;
  const scaled: Buffer[] = [];
  for (const edge of edges) {
    // The picture is rotated as its metadata says. All metadata, such as place and camera, is left out.
    const picture = sharp(bytes, options).rotate().resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
    scaled.push(await picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80 }).toBuffer());
  }
  return { ok: true, picture: { width: turned ? height : width, height: turned ? width : height, format, scaled } };
}

/** Returns the scaled cover inside an audio or video file; undefined if the file has no readable cover. */
async function readCover(bytes: Uint8Array | undefined, { edges }: Job): Promise<readonly Buffer[] | undefined> {
  if (!bytes || !PICTURES.has((await fileTypeFromBuffer(bytes))?.mime ?? '')) return undefined;
  return readPicture({ bytes: Buffer.from(bytes), edges }).then(
    ({ picture }) => picture.scaled,
    () => undefined,
  );
}

async function examine(job: Job): Promise<Examination> {
  const type = (await fileTypeFromBuffer(job.bytes))?.mime ?? 'unknown';
  if (PICTURES.has(type)) return readPicture(job);
  if (!TIMED.test(type)) return { ok: false, reason: `the type is ${type}` };
  const { format, common } = await parseBuffer(job.bytes, type, { duration: true });
  const cover = await readCover(common.picture?.[0]?.data, job);
  const { duration } = format;
  if (duration === undefined && !cover) return { ok: false, reason: 'neither a duration nor a cover was found' };
  return {
    ok: true,
    ...(duration !== undefined && { durationMillis: Math.round(duration * 1000) }),
    ...(cover && { cover }),
  };
}

process.on('message', (job: Job) => {
  examine(job)
    .catch((error: Error): Examination => ({ ok: false, reason: error.message }))
    .then((result) => process.send?.(result))
    .catch(() => process.exit(1));
});
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
