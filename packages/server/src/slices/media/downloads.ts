// Serves the bytes of objects, and information about objects.
import { ApiError, limits, plainHeaders } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import { ObjectMissing } from '../../platform/objects/objects.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type { ObjectCall } from '../../platform/rpc/object-requests.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { type Access, type MediaMessage, noObject, type ReadableObject } from './access.ts';
import { isRequestName, kindOf, placeOf, requestName, sideName } from './names.ts';
import { detailsOf, infoOf } from './object-info.ts';
import type { Previews } from './previews.ts';
import * as q from './queries.ts';
import { createServing, mimeShown, type ServingDeps } from './serving.ts';
import { messageIdOfTalkMeta } from './talk-meta.ts';

export interface DownloadDeps extends ServingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly access: Access<Reader>;
  readonly previews: Previews;
  readonly logger: Logger;
  /** The public base URL of object storage. */
  readonly url: () => string;
}

export function createDownloads(deps: DownloadDeps) {
  const { store, access } = deps;
  const serve = createServing(deps);

  async function find(call: ObjectCall, path: ObjectPath): Promise<ReadableObject> {
    if (kindOf(path) === 'picture') return { row: await publicRow(store, path), message: undefined };
    const { caller } = call;
    if (!caller) throw new ApiError('REQUEST_NEED_LOGIN');
    const messageId = messageIdOfTalkMeta(call.header(plainHeaders.talkMeta.name));
    return store.read((reader) => access.forReading(reader, caller, path, messageId));
  }

  /** Returns the preview of an object. Creates the preview if none was uploaded. */
  async function findPreview(call: ObjectCall, path: ObjectPath): Promise<ReadableObject> {
    const found = await find(call, path);
    if (found.row || !found.message) return found;
    const main = await find(call, call.path);
    if (main.row?.whole !== 1) return found;
    await deps.previews.examine({ accountId: main.row.account_id, oid: main.row.oid });
    const { row } = await find(call, path);
    if (!row) throw noObject(path.oid);
    return { ...found, row };
  }

  /**
   * Returns the row of an object; undefined if the object may still come. The sender of a plain message may upload its
   * object later too, so for the sender it may always come.
   * @throws NOT_FOUND_PATH
   */
  async function findExpected(call: ObjectCall): Promise<q.ObjectRow | undefined> {
    const { row, message } = await find(call, call.path);
    const isGivenUp = message && message.senderId !== call.caller?.accountId && !mayCome(deps.clock, message);
    if (!row && isGivenUp) throw noObject(call.path.oid);
    return row;
  }

  return {
    async bytes(call: ObjectCall): Promise<undefined> {
      const { path } = call;
      const wanted = path.form === 'preview' ? { ...path, oid: sideName(path.oid, 'preview') } : path;
      const { row, message } = await (path.form === 'preview' ? findPreview(call, wanted) : find(call, wanted));
      if (row?.whole !== 1) {
        if (!row && !(message && mayCome(deps.clock, message))) throw noObject(path.oid);
        notYet(call);
        return;
      }
      const { object_key: key, size, hash, mime, name } = row;
      const served = serve(
        { key, size: size ?? 0, hash: hash ?? '', mime, name, public: kindOf(path) === 'picture' },
        { ...call, head: call.request.method === 'HEAD' },
      );
      await served.catch(async (error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
        // Missing bytes are an error only if the object's row still names their key. Otherwise the object was removed
        // during the request.
        if ((await find(call, wanted)).row?.object_key === key) {
          const { location } = deps.objects;
          deps.logger.error(
            { error, oid: path.oid, key, objects: location },
            'the bytes of an object are not there: they are lost, or in the folder of another server',
          );
        }
        throw noObject(path.oid);
      });
    },

    async info(call: ObjectCall): Promise<string> {
      const row = (await ownRow(store, call)) ?? (await findExpected(call));
      const owner = row && (await store.read((reader) => reader.one(q.midOf, row.account_id)));
      return JSON.stringify(infoOf(call.path, row, owner?.mid));
    },

    async playback(call: ObjectCall): Promise<string> {
      const { row } = await find(call, call.path);
      if (row?.whole !== 1) throw noObject(call.path.oid);
      return JSON.stringify(playbackOf(row, call.path, deps.url()));
    },
  };
}

/**
 * Returns whether the object of a plain message may still be uploaded. Clients send such a message first, and then
 * upload its object.
 */
const mayCome = (clock: Clock, { id }: MediaMessage): boolean =>
  clock.now() - timeOfId(id) < limits.uploadWindowMs.value;

/** Returns what a player needs to know about a complete object. */
function playbackOf(row: q.ObjectRow, { service, sid, oid }: ObjectPath, url: string) {
  const { videoMp4Details, audioM4aDetails } = detailsOf(row);
  const durationMillis = (videoMp4Details ?? audioM4aDetails)?.durationMillis;
  return {
    url: `${url}/r/${service}/${sid}/${oid}`,
    mime: mimeShown(row.mime),
    size: row.size ?? 0,
    ...(durationMillis !== undefined && { durationMillis }),
  };
}

/** Returns the row of a picture, which everybody may read. @throws NOT_FOUND_PATH */
export async function publicRow(store: Store, path: ObjectPath): Promise<q.ObjectRow> {
  const row = await store.read((reader) => reader.one(q.objectByOid, path.oid));
  if (row?.place !== placeOf(path)) throw noObject(path.oid);
  return row;
}

/**
 * Returns the row of the caller's own upload. So the caller can ask for the progress of the upload before a message
 * carries the object.
 */
async function ownRow(store: Store, { caller, path }: ObjectCall): Promise<q.ObjectRow | undefined> {
  if (!caller) return undefined;
  const row = await store.read((reader) =>
    isRequestName(path.oid)
      ? reader.one(q.objectByRequest, caller.accountId, requestName(path))
      : reader.one(q.objectOf, caller.accountId, path.oid),
  );
  return row?.place === placeOf(path) ? row : undefined;
}

/** Answers 202 while the upload of an object is incomplete; clients ask again after 2 seconds. */
function notYet({ response, extraHeaders }: ObjectCall): void {
  const headers = ['Content-Length', '0', 'Cache-Control', 'private, no-store', 'Retry-After', '2'];
  response.writeHead(202, [...headers, ...extraHeaders]).end();
}
