// Hooks for the media of messages. The media are loaded when a component shows them, and kept as long as it does.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useRemote } from '../client/context.tsx';
import type { Remote } from '../client/remote.ts';
import { formOf, isSmallEnough } from './about-media.ts';
import { HEAD_BYTES, pictureType, playableType } from './file-kind.ts';
import { MediaRefused } from './media-problem.ts';
import type { MediaEntry } from './media-shelf.ts';
import { shelf } from './shelf.ts';

export interface LoadedMedia {
  readonly entry: MediaEntry;
  retry(): void;
}

type Load = () => Promise<Blob | undefined>;

function useHeld(key: string, load: Load, wanted: boolean): LoadedMedia {
  const entry = useSyncExternalStore(shelf.subscribe, () => shelf.get(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is loaded
  useEffect(() => (wanted ? shelf.hold(key, load) : undefined), [key, wanted]);
  return useMemo(() => ({ entry, retry: () => shelf.retry(key, load) }), [entry, key, load]);
}

const headOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer());

/** Returns a picture with the MIME type that matches its first bytes. */
async function asPicture(blob: Blob): Promise<Blob> {
  const type = pictureType(await headOf(blob));
  if (type === undefined) throw new MediaRefused('The bytes are of no picture that is shown.');
  return new Blob([blob], { type });
}

/**
 * Returns the key under which a message's whole content is cached. A message sent from this device has the same key
 * before and after it is sent.
 */
export const wholeKey = ({ id, localId, from }: StoredMessage): string => (localId ? `${from}/${localId}` : id);
export const previewKey = (message: StoredMessage): string => `${wholeKey(message)}/preview`;

/** Loads the whole content of a message. Its MIME type is determined from its first bytes. */
export async function loadWhole(remote: Remote, message: StoredMessage): Promise<Blob> {
  const blob = await remote.engine.mediaBlob(message, '');
  if (message.contentType === contentTypes.IMAGE) return asPicture(blob);
  const kind = message.contentType === contentTypes.VIDEO ? 'video' : 'audio';
  return new Blob([blob], { type: playableType(await headOf(blob), kind) });
}

async function loadPreview(remote: Remote, message: StoredMessage): Promise<Blob | undefined> {
  const bytes = await remote.media.preview(message);
  return bytes && asPicture(new Blob([bytes]));
}

/** Returns the whole content of a message. It is loaded when `wanted` is true. */
export function useWhole(message: StoredMessage, wanted: boolean): LoadedMedia {
  const remote = useRemote();
  return useHeld(wholeKey(message), () => loadWhole(remote, message), wanted);
}

/** Returns the preview of a video. */
export function usePreview(message: StoredMessage, wanted = true): LoadedMedia {
  const remote = useRemote();
  return useHeld(previewKey(message), () => loadPreview(remote, message), wanted);
}

/** Returns the picture in the form in which a conversation shows it: its preview, or the picture itself. */
export function usePicture(message: StoredMessage): LoadedMedia {
  const remote = useRemote();
  const form = formOf(message);
  // A picture that was just sent, or opened in the viewer, is already loaded. It looks better than its preview.
  const isHere = shelf.get(wholeKey(message)).state === 'ready';
  const whole = form === 'whole' || isHere;
  const load = async (): Promise<Blob | undefined> => {
    if (whole) return loadWhole(remote, message);
    const preview = await loadPreview(remote, message);
    return preview ?? (isSmallEnough(message) ? loadWhole(remote, message) : undefined);
  };
  return useHeld(whole ? wholeKey(message) : previewKey(message), load, true);
}
