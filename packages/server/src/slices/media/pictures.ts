// uploadProfile: pictures of profiles and groups. Each picture is decoded and encoded again without its metadata. It is
// served to everybody under a name that nobody can guess.
import { ApiError, type ProfileUploadResult } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import { requireMid } from '../../platform/rpc/mids.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { Examiner } from './examiner.ts';
import { keeper, type MadeObject } from './made-objects.ts';
import { drawOid, sideName } from './names.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import { removeRows } from './remove-objects.ts';

/**
 * Sets the path of a picture, announces the change, and returns the previous path. Throws if the caller may not change
 * the picture.
 */
export type SetPicture = (tx: Tx, caller: Caller, path: string) => Promise<string>;
export type SetChatPicture = (
  tx: Tx,
  caller: Caller,
  picture: { readonly chatMid: string; readonly picturePath: string },
) => Promise<string>;

export interface PictureDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly random: Random;
  readonly quota: Quota;
  readonly examiner: Examiner;
  readonly setPicture: SetPicture;
  readonly setChatPicture: SetChatPicture;
  /** Throws if the caller is not a member of the chat. */
  readonly requireTarget: (reader: Tx, caller: Caller, field: string, mid: string) => Promise<void>;
  readonly forgetBytes: (key: string) => void;
}

export interface Pictures {
  /** `uploadProfile`: stores a picture, and makes it that of the caller or of a group. */
  upload(caller: Caller, mid: string, body: Buffer): Promise<ProfileUploadResult>;
  /** Removes the picture that a profile or group had at this path, whichever member uploaded it. */
  remove(tx: Tx, path: string): Promise<void>;
  /** Returns the paths of all pictures that an account has uploaded. */
  pathsOf(reader: Reader, accountId: number): Promise<string[]>;
}

const PLACE = 'talk/p';
const PATH = /^\/r\/talk\/p\/([\w-]+)$/;
const pathOf = (oid: string): string => `/r/${PLACE}/${oid}`;
const MIME = 'image/jpeg';
const EDGES = { picture: 1280, preview: 240 };

export function createPictures(deps: PictureDeps): Pictures {
  const { store, objects, clock, random, quota, examiner } = deps;

  async function remove(tx: Tx, path: string): Promise<void> {
    const oid = PATH.exec(path)?.[1];
    const row = oid === undefined ? undefined : await tx.one(q.objectByOid, oid);
    if (!row || oid === undefined || row.place !== PLACE) return;
    const keys = await removeRows(tx, row.account_id, [oid, sideName(oid, 'preview')]);
    tx.onCommit(() => {
      for (const key of keys) deps.forgetBytes(key);
    });
  }

  async function insert(tx: Tx, { accountId }: Caller, oid: string, picture: MadeObject, preview: MadeObject) {
    await reserve(tx, quota, accountId, { objects: 2, bytes: picture.size + preview.size });
    const now = clock.now();
    for (const [name, { key, size, hash }] of [
      [oid, picture],
      [sideName(oid, 'preview'), preview],
    ] as const) {
      await tx.run(
        ...[q.insertWhole, accountId, name, PLACE, null, key, size, size, size, hash],
        ...['', 'image', '', MIME, '{}', now, now],
      );
    }
  }

  async function upload(caller: Caller, mid: string, body: Buffer): Promise<ProfileUploadResult> {
    requireMid('mid', mid);
    if (mid.startsWith('u')) {
      if (mid !== caller.mid) throw new ApiError('NOT_FOUND', 'mid is neither the caller nor a group of the caller');
    } else {
      await store.transact((tx) => deps.requireTarget(tx, caller, 'mid', mid));
    }
    const made = await examiner.examine({ bytes: body, edges: [EDGES.picture, EDGES.preview] });
    if (!made.ok && made.retry) {
      throw new ApiError('OVERLOADED', `the picture was not examined: ${made.reason}; send it again`);
    }
    if (!made.ok || !made.picture) {
      throw new ApiError(
        'ILLEGAL_ARGUMENT',
        `the body is not a picture that can be read${made.ok ? '' : `: ${made.reason}`}`,
      );
    }
    const keep = keeper(objects, random);
    const [picture, preview] = await Promise.all(made.picture.scaled.map(keep));
    if (!picture || !preview) throw new Error('a picture was not scaled');
    const oid = drawOid(random);
    const picturePath = pathOf(oid);
    await store
      .transact(async (tx) => {
        const before = mid.startsWith('u')
          ? await deps.setPicture(tx, caller, picturePath)
          : await deps.setChatPicture(tx, caller, { chatMid: mid, picturePath });
        await remove(tx, before);
        await insert(tx, caller, oid, picture, preview);
      })
      .catch((error: unknown) => {
        // No row names the bytes of a refused picture. After another error, a row may name them.
        if (error instanceof ApiError) for (const { key } of [picture, preview]) deps.forgetBytes(key);
        throw error;
      });
    return { oid, picturePath, hash: picture.hash };
  }

  return {
    upload,
    remove,
    pathsOf: async (reader, accountId) =>
      (await reader.all(q.objectsAt, accountId, PLACE)).map(({ oid }) => pathOf(oid)),
  };
}
