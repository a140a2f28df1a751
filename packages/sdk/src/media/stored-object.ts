// Reads the information that object storage has about an object (specification: info, playback).
import type { HttpQuery, ObjectInfo, PlaybackInfo } from '@sealpost/contract';
import { NetworkError } from '../gateway/errors.ts';
import type { ObjectRequest, ObjectStorage } from './object-storage.ts';

/** Returns the path of an object. Both parts are encoded, because they may come from another user's message. */
export const objectPath = (sid: string, oid: string): string =>
  `/r/talk/${encodeURIComponent(sid)}/${encodeURIComponent(oid)}`;

type Asked = Pick<ObjectRequest, 'what' | 'headers' | 'signal'>;

export const readInfo = (storage: ObjectStorage, path: string, request: Asked): Promise<ObjectInfo> =>
  readJson<ObjectInfo>(storage, `${path}/info.obs`, request);

/** Returns the address at which a video can be played. */
export const readPlayback = (
  storage: ObjectStorage,
  path: string,
  query: HttpQuery<'playback'>,
  request: Asked,
): Promise<PlaybackInfo> =>
  readJson<PlaybackInfo>(storage, `${path}/playback.obs?${new URLSearchParams(Object.entries(query))}`, request);

async function readJson<T>(storage: ObjectStorage, path: string, request: Asked): Promise<T> {
  const response = await storage({ ...request, method: 'GET', path, whole: true });
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new NetworkError(request.what, path, cause);
  }
}
