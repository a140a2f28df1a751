// Finds out which kind of media a chosen file is, and makes its preview. Browsers decode pictures in the background, so
// the page stays responsive.
import type { MediaPreview, OutgoingMedia } from '@sealpost/sdk';
import { fitted, type Size } from '../../../media/about-media.ts';
import { HEAD_BYTES, isMoving, kindOfFile, pictureType, withEnding } from '../../../media/file-kind.ts';

const PREVIEW_SIDE = 384;
const PREVIEW_QUALITY = 0.8;
const PICTURE_QUALITY = 0.92;
const JPEG = 'image/jpeg';
const PATIENCE_MS = 8_000;
const SECOND_MS = 1000;

/** Returns the media to send for a file. Media that the browser cannot read are sent as a plain file. */
export async function prepareFile(file: File): Promise<OutgoingMedia> {
  const asFile: OutgoingMedia = { kind: 'file', name: file.name, bytes: file };
  const kind = kindOfFile(file);
  try {
    if (kind === 'image' || kind === 'convertible') return await picture(file, kind === 'convertible');
    if (kind === 'video') return await video(file);
    if (kind === 'audio') return await sound(file);
  } catch {
    return asFile;
  }
  return asFile;
}

async function picture(file: File, isConverted: boolean): Promise<OutgoingMedia> {
  const decoded = await createImageBitmap(file);
  try {
    const whole = { width: decoded.width, height: decoded.height };
    const preview = await previewOf(decoded, whole);
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    // The type is determined from the bytes and not from the file's name, because the SDK only cleans pictures that it
    // recognizes by their bytes.
    if (!isConverted && pictureType(head) !== undefined) {
      return { kind: 'image', name: file.name, bytes: file, preview, animated: isMoving(head) };
    }
    const jpeg = await jpegOf(decoded, whole, PICTURE_QUALITY);
    return { kind: 'image', name: withEnding(file.name, 'jpg'), bytes: jpeg, preview, animated: false };
  } finally {
    decoded.close();
  }
}

async function video(file: File): Promise<OutgoingMedia> {
  const element = document.createElement('video');
  element.muted = true;
  element.playsInline = true;
  return withSource(element, file, async () => {
    await happened(element, 'loadeddata');
    const { videoWidth: width, videoHeight: height, duration } = element;
    const length = milliseconds(duration);
    if (width === 0) throw new Error('the video has no picture');
    if (length !== undefined) {
      element.currentTime = Math.min(1, duration / 3);
      await happened(element, 'seeked');
    }
    const preview = await previewOf(element, { width, height });
    return { kind: 'video', name: file.name, bytes: file, preview, duration: length };
  });
}

async function sound(file: File): Promise<OutgoingMedia> {
  const element = document.createElement('audio');
  return withSource(element, file, async () => {
    await happened(element, 'loadedmetadata');
    return { kind: 'audio', name: file.name, bytes: file, duration: milliseconds(element.duration) };
  });
}

const milliseconds = (seconds: number): number | undefined =>
  Number.isFinite(seconds) ? Math.round(seconds * SECOND_MS) : undefined;

async function withSource<T>(element: HTMLMediaElement, file: File, run: () => Promise<T>): Promise<T> {
  const url = URL.createObjectURL(file);
  try {
    element.preload = 'auto';
    element.src = url;
    return await run();
  } finally {
    element.removeAttribute('src');
    URL.revokeObjectURL(url);
  }
}

/**
 * Waits for an event of a media element. Gives up after some seconds, because some broken files cause no event at all.
 */
async function happened(element: HTMLMediaElement, name: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await new Promise<void>((resolve, reject) => {
    element.addEventListener(name, () => resolve(), { once: true, signal });
    element.addEventListener('error', () => reject(new Error('the browser cannot read it')), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

async function previewOf(source: CanvasImageSource, whole: Size): Promise<MediaPreview> {
  const size = fitted(whole, PREVIEW_SIDE);
  const jpeg = await jpegOf(source, size, PREVIEW_QUALITY);
  return { ...size, bytes: new Uint8Array(await jpeg.arrayBuffer()) };
}

async function jpegOf(source: CanvasImageSource, { width, height }: Size, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser draws no pictures');
  // JPEG has no transparency, so transparent parts become white.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  return canvas.convertToBlob({ type: JPEG, quality });
}
