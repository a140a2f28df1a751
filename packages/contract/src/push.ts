// Web Push: the methods with which a session registers the address where its browser receives push messages. The
// specification has no such methods.
import Type, { type Static } from 'typebox';
import { arg, rpc } from './method.ts';
import { Empty, optional } from './schema.ts';

export const PushKey = Type.Object(
  { publicKey: Type.String({ description: 'the applicationServerKey: an uncompressed P-256 point in base64url' }) },
  { title: 'PushKey' },
);
export type PushKey = Static<typeof PushKey>;

const TimeOfDay = Type.String({ maxLength: 5, description: 'time of day from 00:00 to 23:59, for example 22:30' });

/**
 * The hours of each day during which the session gets no push. If `to` is before `from`, the quiet hours end on the
 * next day.
 */
export const QuietHours = Type.Object(
  {
    from: TimeOfDay,
    to: TimeOfDay,
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone, for example Asia/Tokyo' }),
  },
  { title: 'QuietHours' },
);
export type QuietHours = Static<typeof QuietHours>;

const base64url = (description: string, maxLength: number) => Type.String({ maxLength, description });

export const PushSubscription = Type.Object(
  {
    endpoint: Type.String({ minLength: 1, maxLength: 2048, description: 'the address that the browser was given' }),
    p256dh: base64url('the public key of the browser in base64url, 65 bytes', 100),
    auth: base64url('the secret of the browser in base64url, 16 bytes', 32),
    quietHours: optional(QuietHours),
  },
  { title: 'PushSubscription' },
);
export type PushSubscription = Static<typeof PushSubscription>;

export const push = {
  'PushService.getPushKey': rpc({
    summary: 'Returns the public key under which this server sends push messages.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: PushKey,
    errors: [],
    origin: 'extension',
  }),
  'PushService.subscribe': rpc({
    summary: 'Subscribes the browser of the session to push messages, until the session ends.',
    auth: 'user',
    limit: 'write',
    args: [arg('subscription', PushSubscription)],
    result: Empty,
    errors: [],
    origin: 'extension',
  }),
  'PushService.unsubscribe': rpc({
    summary: 'Ends the push messages to this session.',
    auth: 'user',
    limit: 'write',
    args: [],
    result: Empty,
    errors: [],
    origin: 'extension',
  }),
} as const;
