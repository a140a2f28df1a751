// copyForMessage: gives an object a second name, so that another message of the caller may carry it. Both names share
// the stored bytes.
import { ApiError } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import { CopyForMessageRequest } from '@sealpost/contract/schemas';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import { type ObjectPath, readObjectPath } from '../../platform/rpc/object-paths.ts';
import { bodyCheck } from '../../platform/rpc/validate.ts';
import type { Tx } from '../../platform/store/store.ts';
import { type Access, type MediaMessage, noObject } from './access.ts';
import { drawKey, drawOid, kindOf, messageIdOf, placeOf, type Side, sideName, splitOid } from './names.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import type { GainContent, HoldMessages } from './remove-objects.ts';
import { messageIdOfTalkMeta } from './talk-meta.ts';

export interface CopyDeps {
  readonly mutations: Mutations;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access<Tx>;
  readonly quota: Quota;
  readonly gainContent: GainContent;
  readonly holdMessages: HoldMessages;
  /** Locks the groups of chats and messages, as far as the account is in them, in the order of their ids. */
  readonly holdGroups: (
    tx: Tx,
    accountId: number,
    chatMids: readonly string[],
    messageIds: readonly number[],
  ) => Promise<void>;
  /**
   * Throws if the caller cannot send messages to this mid.
   * @throws NOT_FOUND, NOT_A_MEMBER, INVALID_MID
   */
  readonly requireTarget: (tx: Tx, caller: Caller, field: string, mid: string) => Promise<void>;
}

/** In the order of their names, in which objects are locked. */
const SIDES: readonly Side[] = ['hash', 'preview'];

interface Paths {
  readonly from: ObjectPath;
  readonly to: ObjectPath;
}

/**
 * Returns the object that a path names.
 * @throws NOT_FOUND_PATH if it is absent or incomplete
 */
function wholeOf(path: ObjectPath, row: q.ObjectRow | undefined): q.ObjectRow {
  if (row?.whole !== 1) throw noObject(path.oid);
  return row;
}

export function createCopies(deps: CopyDeps) {
  const { mutations, clock, random, access } = deps;

  /** Finds the object to copy, and locks the groups of all chats that the request is about. */
  async function sourceOf(tx: Tx, caller: Caller, request: CopyForMessageRequest, { from, to }: Paths) {
    const { accountId } = caller;
    const found = await tx.one(q.objectOf, accountId, from.oid);
    const own = found?.place === placeOf(from) ? found : undefined;
    const named = own ? undefined : messageIdOfTalkMeta(request.talkMeta);
    const messageIds = [messageIdOf(splitOid(from.oid).base), messageIdOf(to.oid), named].filter(
      (id) => id !== undefined,
    );
    await deps.holdGroups(tx, accountId, [request.toMid], messageIds);
    await deps.requireTarget(tx, caller, 'body.toMid', request.toMid);
    return wholeOf(from, own ?? (await access.forReading(tx, caller, from, named)).row);
  }

  /**
   * Returns the message whose id a plain copy takes as its name, and locks the message. Returns undefined if the server
   * draws a name.
   */
  async function messageFor(
    tx: Tx,
    caller: Caller,
    source: q.ObjectRow,
    path: ObjectPath,
  ): Promise<MediaMessage | undefined> {
    if (placeOf(path) !== source.place) {
      throw new ApiError('ILLEGAL_ARGUMENT', `body.dstPath is in ${placeOf(path)}, body.srcPath in ${source.place}`);
    }
    if (kindOf(path) !== 'plain' || messageIdOf(path.oid) === undefined) return undefined;
    const message = await access.messageToFill(tx, caller, path.oid);
    await deps.holdMessages(tx, [message.id]);
    const there = await tx.one(q.objectOf, caller.accountId, path.oid);
    if (there) throw new ApiError('OBJECT_COMPLETE', `message ${path.oid} has an object`);
    return message;
  }

  /**
   * Locks the source and what belongs to it until the commit. Without the lock, the source's bytes could be removed
   * before the copy's row refers to them.
   */
  async function lockSource(tx: Tx, { account_id, oid }: q.ObjectRow, path: ObjectPath) {
    const main = wholeOf(path, await tx.one(q.lockObject, account_id, oid));
    const sides: { side: Side; row: q.ObjectRow }[] = [];
    for (const side of SIDES) {
      const row = await tx.one(q.lockObject, account_id, sideName(oid, side));
      if (row?.whole === 1) sides.push({ side, row });
    }
    return { main, sides };
  }

  async function insert(tx: Tx, caller: Caller, row: q.ObjectRow, oid: string): Promise<void> {
    const size = row.size ?? 0;
    await reserve(tx, deps.quota, caller.accountId, { objects: 1, bytes: size });
    await tx.run(
      ...[q.insertWhole, caller.accountId, oid, row.place, null, row.object_key, size, size, size, row.hash],
      ...[row.name, row.type, row.category, row.mime, row.details, clock.now(), clock.now()],
    );
  }

  return (caller: Caller, request: CopyForMessageRequest): Promise<{ gid: string; oid: string }> => {
    const from = requirePath('body.srcPath', request.srcPath);
    const to = requirePath('body.dstPath', request.dstPath);
    return mutations.mutate({ caller, method: 'copyForMessage', args: [request] }, request.reqSeq ?? 0, async (tx) => {
      // Groups are locked before messages, messages before objects, and objects before logs.
      const found = await sourceOf(tx, caller, request, { from, to });
      const message = await messageFor(tx, caller, found, to);
      const { main, sides } = await lockSource(tx, found, from);
      const oid = message ? to.oid : drawOid(random);
      await insert(tx, caller, main, oid);
      for (const { side, row } of sides) await insert(tx, caller, row, sideName(oid, side));
      if (message) await deps.gainContent(tx, [message.id], caller.accountId);
      return { gid: drawKey(random), oid };
    });
  };
}

export const requireCopy = bodyCheck(CopyForMessageRequest);

function requirePath(field: string, { service, sid, oid }: CopyForMessageRequest['srcPath']): ObjectPath {
  const path = readObjectPath(`/r/${service}/${sid}/${oid}`);
  const kind = path && kindOf(path);
  if (path?.form === 'object' && (kind === 'plain' || kind === 'sealed')) return path;
  throw new ApiError(
    'ILLEGAL_ARGUMENT',
    `${field} ${JSON.stringify({ service, sid, oid })} does not name an object of a message`,
  );
}
