// The home of an account on the timeline. The id of a home is the account's mid. A home may have a cover picture.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { UpdateCoverRequest } from '@sealpost/contract/schemas';
import type { Caller } from '../../platform/rpc/call.ts';
import { success } from '../../platform/rpc/envelope.ts';
import { requireUserMid } from '../../platform/rpc/mids.ts';
import { bodyCheck } from '../../platform/rpc/validate.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Covers } from '../media/index.ts';
import { coverOf, deleteHome, type HomeRow, lockCover, setCover } from './queries.ts';

export interface HomeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'show'>;
  readonly covers: Covers;
}

/** Each function returns the complete JSON of an answer. */
export interface Homes {
  idOf(caller: Caller, query: URLSearchParams): Promise<string>;
  cover(query: URLSearchParams): Promise<string>;
  update(caller: Caller, body: unknown): Promise<string>;
}

const requireUpdate = bodyCheck(UpdateCoverRequest);

export function createHomes({ store, clock, accounts, covers }: HomeDeps): Homes {
  async function ownerOf(field: string, mid: string): Promise<{ readonly id: number; readonly mid: string }> {
    requireUserMid(field, mid);
    const account = await accounts.show(mid);
    if (!account) throw new ApiError('NOT_FOUND', `${field} ${mid} is not a user`);
    return account;
  }

  return {
    async idOf(caller, query) {
      const { mid } = await ownerOf('mid', query.get('mid') ?? caller.mid);
      return success(JSON.stringify({ homeId: mid }));
    },
    async cover(query) {
      const { id, mid } = await ownerOf('homeId', query.get('homeId') ?? '');
      return coverJson(mid, await store.read((reader) => reader.one(coverOf, id)));
    },
    async update({ accountId, mid }, body) {
      const { objectId } = requireUpdate(body);
      return store.transact(async (tx) => {
        const before = await tx.one(lockCover, accountId);
        if (objectId === '') await tx.run(deleteHome, accountId);
        else if (await covers.has(tx, accountId, objectId)) await tx.run(setCover, accountId, objectId, clock.now());
        else
          throw new ApiError(
            'NOT_FOUND',
            `body.objectId ${JSON.stringify(objectId)} is not a picture that the caller uploaded`,
          );
        if (before && before.cover_object_id !== objectId) await covers.remove(tx, accountId, before.cover_object_id);
        return coverJson(mid, await tx.one(coverOf, accountId));
      });
    },
  };
}

function coverJson(homeId: string, row: HomeRow | undefined): string {
  const cover = row && { objectId: row.cover_object_id, updatedTime: String(row.cover_time) };
  return success(JSON.stringify({ homeId, ...cover }));
}
