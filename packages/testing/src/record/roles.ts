// The roles of values in answers. A value that differs between servers, such as an id, is compared according to its
// role.
import { isMid } from '@sealpost/contract';
import { placeholderRole } from './vault.ts';

/**
 * The role of a value:
 * - `bound`: an id; each recorded id must always correspond to the same id in the replay
 * - `time`, `secret`, `counter`, `random`: only the kind of the value is compared
 * - `plain`: the values must be equal
 */
export type ValueRole = 'bound' | 'time' | 'secret' | 'counter' | 'random' | 'plain';

const TIME = /(time|timestamp|millis|expiration|epochSec|date|validUntil)$/i;
const COUNTER = /^(revision|nextRevision|localRev|treeSize|version|globalRev|individualRev)$/;
const ID = /(^id|Id|Ids|_id)$/;
const RANDOM =
  /^(nvalue|evalue|keynm|sessionKey|rootHash|signature|publicKey|keyData|hash|oid|objId|picturePath|pictureStatus|path|proof|nonce|cksum)$/;
const DECIMAL = /^-?\d+$/;
/** Ids of messages and times in milliseconds have at least this many digits. */
const LONG_DIGITS = 13;

/** Returns the role of a recorded value. `name` is the name of its field. */
export function roleOf(name: string, value: unknown): ValueRole {
  if (typeof value !== 'string' && typeof value !== 'number') return 'plain';
  const text = String(value);
  if (placeholderRole(text) !== undefined) return 'secret';
  if (isMid(text)) return 'bound';
  if (RANDOM.test(name)) return 'random';
  if (!DECIMAL.test(text)) return ID.test(name) && text !== '' ? 'bound' : 'plain';
  // Zero means "none".
  if (text === '0') return 'plain';
  if (TIME.test(name)) return 'time';
  if (COUNTER.test(name)) return 'counter';
  return ID.test(name) || text.length >= LONG_DIGITS ? 'bound' : 'plain';
}
