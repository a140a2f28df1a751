// Builds push messages. A message is sealed for one browser (RFC 8291), and its request is signed with the server's key
// (RFC 8292).
import { createECDH, createHmac } from 'node:crypto';
import type { Random } from '@sealpost/contract/ports';
import type { OutboundCall } from '../../platform/outbound/outbound.ts';
import type { PushKeys } from './push-keys.ts';
import type { SubscriptionRow } from './queries.ts';
import { seal } from './seal.ts';

const SALT_BYTES = 16;
const DAY_SEC = 86_400;
/** Maximum number of characters in a topic. A push service keeps only the newest push of each topic. */
const TOPIC_LENGTH = 32;

export interface PushMessageDeps {
  readonly keys: PushKeys;
  readonly random: Random;
  /** Secret key with which topics are computed, so that a push service cannot find out a chat from its topic. */
  readonly topicKey: Buffer;
}

/** Returns the request that tells a browser of something new in a chat. */
export function pushMessage(
  { keys, random, topicKey }: PushMessageDeps,
  { session_id, endpoint, p256dh, auth }: SubscriptionRow,
  chat: string,
): OutboundCall {
  const sender = createECDH('prime256v1');
  sender.generateKeys();
  const content = Buffer.from(JSON.stringify({ kind: 'new', chat }));
  const receiver = { point: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  const body = seal(content, receiver, sender, Buffer.from(random.bytes(SALT_BYTES)));
  const topic = createHmac('sha256', topicKey).update(`${session_id} ${chat}`).digest('base64url');
  return {
    headers: {
      authorization: keys.authorizationFor(endpoint),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(DAY_SEC),
      urgency: 'high',
      topic: topic.slice(0, TOPIC_LENGTH),
    },
    body,
  };
}
