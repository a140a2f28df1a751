// What object storage says about an object (specification: info).
import type { ObjectInfo } from '@sealpost/contract';
import { NetworkError } from '../gateway/errors.ts';
import type { ObjectRequest, ObjectStorage } from './object-storage.ts';

/** Returns the path of an object. Both parts are encoded, because they may come from another user's message. */
export const objectPath = (sid: string, oid: string): string =>
  `/r/talk/${encodeURIComponent(sid)}/${encodeURIComponent(oid)}`;

export async function readInfo(
  storage: ObjectStorage,
  path: string,
  request: Pick<ObjectRequest, 'what' | 'headers' | 'signal'>,
): Promise<ObjectInfo> {
  const response = await storage({ ...request, method: 'GET', path: `${path}/info.obs` });
  try {
    return (await response.json()) as ObjectInfo;
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new NetworkError(request.what, response.url, cause);
  }
}
