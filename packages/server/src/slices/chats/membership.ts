// Shared parts of the methods that change who is in a chat. Any member may invite, remove members and cancel
// invitations; an invitee may only accept or decline.
import type { Limits } from '@sealpost/contract';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { RemovePicture } from '../../platform/rpc/picture-path.ts';
import type { ChangeDeps } from './announce-change.ts';
import type { BlockersOf } from './targets.ts';

export interface MembershipDeps extends ChangeDeps {
  readonly mutations: Mutations;
  readonly limits: Limits;
  readonly removePicture: RemovePicture;
  readonly blockersOf: BlockersOf;
}

export type Empty = Record<string, never>;
