// Makes a safe file name from a name that another user chose.
import type { MediaKind } from '@sealpost/sdk';

const EXTENSIONS = { image: '.jpg', video: '.mp4', audio: '.m4a', file: '' } as const satisfies Record<
  MediaKind,
  string
>;
/** Maximum length of a name in bytes, which all common file systems accept. */
const LONGEST = 200;
/**
 * Matches control characters, characters that reverse the direction of text, and characters with a special meaning on
 * some systems.
 */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff<>:"|?*]/g;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns a file name that is not a path, not hidden and not empty. */
export function fileName(name: string | undefined, kind: MediaKind, messageId: string): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const fit = last
    .replace(UNFIT, '_')
    .replace(/^[.\s-]+/, '')
    .replace(/[.\s]+$/, '');
  if (fit === '') return `${kind}-${messageId}${EXTENSIONS[kind]}`;
  return shortened(RESERVED.test(fit) ? `_${fit}` : fit);
}

/** Shortens a name that is too long, but keeps its extension. */
function shortened(name: string): string {
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  let stem = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(stem.join('') + extension) > LONGEST) stem = stem.slice(0, -1);
  return stem.join('') + extension;
}
