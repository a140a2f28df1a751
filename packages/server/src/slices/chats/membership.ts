// Shared parts of the methods that change who is in a chat. Any member may invite, remove members and cancel
// invitations; an invitee may only accept or decline.
import type { Limits } from '@sealpost/contract';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { RemovePicture } from '../../platform/rpc/picture-path.ts';
import type { Reader } from '../../platform/store/store.ts';
import type { ChangeDeps } from './announce-change.ts';

/**
 * Returns those of the users who keep the inviter away. They blocked it or, if the chat is a room, take no messages from
 * strangers. A room has no invitation, so its messages would reach them at once.
 */
export type BlockersOf = (
  reader: Reader,
  inviterId: number,
  userIds: readonly number[],
  room: boolean,
) => Promise<ReadonlySet<number>>;

export interface MembershipDeps extends ChangeDeps {
  readonly mutations: Mutations;
  readonly limits: Limits;
  readonly removePicture: RemovePicture;
  readonly blockersOf: BlockersOf;
}

export type Empty = Record<string, never>;
