// Reads pictures, sounds and videos in a process of its own: what a crafted file does to a decoder, it does here.
// Each message is one file; the parent ends the process when one takes too long.
import { fileTypeFromBuffer } from 'file-type';
import { parseBuffer } from 'music-metadata';
import sharp from 'sharp';
import type { Examination, Job } from './examiner.ts';

/** One picture of this many pixels takes about 100 MB while it is decoded. */
const PIXELS = 25_000_000;
/** The decoders that are used; the others, one of which runs a language of its own, are never reached. */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const TIMED = /^(audio|video)\//;

sharp.cache(false);
sharp.concurrency(1);

async function readPicture({ bytes, edges }: Job): Promise<Examination> {
  const options = { limitInputPixels: PIXELS, pages: 1, failOn: 'error', sequentialRead: true } as const;
  const { width, height, format, orientation } = await sharp(bytes, options).metadata();
  const turned = (orientation ?? 1) >= 5;
  const scaled: Buffer[] = [];
  for (const edge of edges) {
    // Turned as its camera says; everything else that the file tells of the place and the camera is left out.
    const picture = sharp(bytes, options).rotate().resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
    scaled.push(await picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80 }).toBuffer());
  }
  return { ok: true, picture: { width: turned ? height : width, height: turned ? width : height, format, scaled } };
}

async function examine(job: Job): Promise<Examination> {
  const type = (await fileTypeFromBuffer(job.bytes))?.mime ?? 'unknown';
  if (PICTURES.has(type)) return readPicture(job);
  if (!TIMED.test(type)) return { ok: false, reason: `the type is ${type}` };
  const { format } = await parseBuffer(job.bytes, type, { duration: true, skipCovers: true });
  return format.duration === undefined
    ? { ok: false, reason: 'no duration was found' }
    : { ok: true, durationMillis: Math.round(format.duration * 1000) };
}

process.on('message', (job: Job) => {
  examine(job)
    .catch((error: Error): Examination => ({ ok: false, reason: error.message }))
    .then((result) => process.send?.(result))
    .catch(() => process.exit(1));
});
process.on('disconnect', () => process.exit(0));
