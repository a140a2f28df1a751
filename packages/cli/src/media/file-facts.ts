// Finds facts about a file that its message contains: the duration or a preview. The libraries for this are loaded only
// when they are needed. If they cannot read the file, it is sent without these facts.
import type { OutgoingMedia } from '@sealpost/sdk';

/** The maximum width and height of a preview, in pixels. */
const PREVIEW_EDGE = 384;

/** Returns the duration of a sound or video, in milliseconds. */
export async function durationOf(path: string): Promise<number | undefined> {
  try {
    const { parseFile } = await import('music-metadata');
    const { format } = await parseFile(path, { duration: true, skipCovers: true });
    return format.duration === undefined ? undefined : format.duration * 1000;
  } catch {
    return undefined;
  }
}

/** Returns a small JPEG of a picture, turned upright. The JPEG contains none of the camera's metadata. */
export async function previewOf(path: string): Promise<Pick<OutgoingMedia, 'preview' | 'animated'>> {
  try {
    const { default: sharp } = await import('sharp');
    const { pages = 1 } = await sharp(path).metadata();
    const { data, info } = await sharp(path)
      .rotate()
      .resize(PREVIEW_EDGE, PREVIEW_EDGE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer({ resolveWithObject: true });
    const preview = { bytes: new Uint8Array(data), width: info.width, height: info.height };
    return { preview, animated: pages > 1 };
  } catch {
    return {};
  }
}
