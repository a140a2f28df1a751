// The methods of Web Push. A session tells the server the address at which its browser receives push messages.
import { ApiError, type PushSubscription } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { push } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Handlers } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import { holdLiving } from '../accounts/index.ts';
import { isPublicKey } from './push-keys.ts';
import * as q from './queries.ts';
import { isTimeOfDay, isTimeZone } from './quiet-hours.ts';

export interface PushHandlersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly publicKey: string;
}

const AUTH_BYTES = 16;

export function pushHandlers({ store, clock, outbound, publicKey }: PushHandlersDeps): Handlers<keyof typeof push> {
  return {
    'PushService.getPushKey': () => ({ publicKey }),
    'PushService.subscribe': async ({ caller }, subscription) => {
      const fault = faultOf(outbound, subscription);
      if (fault) throw new ApiError('ILLEGAL_ARGUMENT', fault);
      const { endpoint, p256dh, auth, quietHours } = subscription;
      const { accountId, sessionId } = caller;
      const digest = tokenHash(endpoint);
      const quiet = quietHours ? JSON.stringify(quietHours) : '';
      await store.transact(async (tx) => {
        await holdLiving(tx, accountId);
        await tx.run(q.deleteEndpoint, digest, accountId, sessionId);
        await tx.run(q.putSubscription, accountId, sessionId, endpoint, digest, p256dh, auth, quiet, clock.now());
      });
      return {};
    },
    'PushService.unsubscribe': async ({ caller }) => {
      await store.transact((tx) => tx.run(q.deleteSubscription, caller.accountId, caller.sessionId));
      return {};
    },
  };
}

/** Returns what is wrong with a subscription; undefined if it is valid. */
function faultOf(outbound: Outbound, { endpoint, p256dh, auth, quietHours }: PushSubscription): string | undefined {
  const refusal = outbound.refusalOf(endpoint);
  if (refusal !== undefined) return `subscription.endpoint cannot be used: ${refusal}`;
  if (!isPublicKey(Buffer.from(p256dh, 'base64url'))) return 'subscription.p256dh is not a point of P-256, 65 bytes';
  const bytes = Buffer.from(auth, 'base64url').length;
  if (bytes !== AUTH_BYTES) return `subscription.auth has ${bytes} bytes, it must have ${AUTH_BYTES}`;
  for (const time of quietHours ? [quietHours.from, quietHours.to] : [])
    if (!isTimeOfDay(time)) return `subscription.quietHours has ${JSON.stringify(time)}, it must be a time like 22:30`;
  if (quietHours && !isTimeZone(quietHours.timeZone))
    return `subscription.quietHours.timeZone ${JSON.stringify(quietHours.timeZone)} is not a known time zone`;
  return undefined;
}
