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
import { type Access, noObject } from './access.ts';
import { drawKey, drawOid, kindOf, messageIdOf, placeOf, type Side, sideName } from './names.ts';
import * as q from './queries.ts';
import { type Quota, reserve } from './quota.ts';
import type { GainContent } from './remove-objects.ts';
import { messageIdOfTalkMeta } from './talk-meta.ts';

export interface CopyDeps {
  readonly mutations: Mutations;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access<Tx>;
  readonly quota: Quota;
  readonly gainContent: GainContent;
  /**
   * Throws if the caller cannot send messages to this mid.
   * @throws NOT_FOUND, NOT_A_MEMBER, INVALID_MID
   */
  readonly requireTarget: (tx: Tx, caller: Caller, field: string, mid: string) => Promise<void>;
}

const SIDES: readonly Side[] = ['preview', 'hash'];

export function createCopies(deps: CopyDeps) {
  const { mutations, clock, random, access } = deps;

  async function sourceOf(
    tx: Tx,
    caller: Caller,
    path: ObjectPath,
    talkMeta: string | undefined,
  ): Promise<q.ObjectRow> {
    const own = await tx.one(q.objectOf, caller.accountId, path.oid);
    const found =
      own?.place === placeOf(path)
        ? own
        : (await access.forReading(tx, caller, path, messageIdOfTalkMeta(talkMeta))).row;
    // The lock keeps the source until the commit. Without the lock, the source's bytes could be removed before the
    // copy's row refers to them.
    const row = found && (await tx.one(q.lockObject, found.account_id, found.oid));
    if (row?.whole !== 1) throw noObject(path.oid);
    return row;
  }

  /**
   * Returns the name of the copy. A plain copy may take the id of a message that has no object; otherwise the server
   * draws a name.
   */
  async function placeFor(tx: Tx, caller: Caller, source: q.ObjectRow, path: ObjectPath): Promise<string> {
    if (placeOf(path) !== source.place) {
      throw new ApiError('ILLEGAL_ARGUMENT', `body.dstPath is in ${placeOf(path)}, body.srcPath in ${source.place}`);
    }
    if (kindOf(path) !== 'plain' || messageIdOf(path.oid) === undefined) return drawOid(random);
    const message = await access.messageToFill(tx, caller, path.oid);
    const there = await tx.one(q.objectOf, caller.accountId, path.oid);
    if (there) throw new ApiError('OBJECT_COMPLETE', `message ${path.oid} has an object`);
    await deps.gainContent(tx, [message.id], caller.accountId);
    return path.oid;
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
      await deps.requireTarget(tx, caller, 'body.toMid', request.toMid);
      const source = await sourceOf(tx, caller, from, request.talkMeta);
      const oid = await placeFor(tx, caller, source, to);
      await insert(tx, caller, source, oid);
      for (const side of SIDES) {
        const row = await tx.one(q.lockObject, source.account_id, sideName(source.oid, side));
        if (row?.whole === 1) await insert(tx, caller, row, sideName(oid, side));
      }
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
