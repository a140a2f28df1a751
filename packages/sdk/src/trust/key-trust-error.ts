// What can be wrong with keys, or with the log that is to prove them.
import type { KeyTreeHead } from '@sealpost/contract';

const advices = {
  /** The head of the log is no head, or its key did not sign it. */
  'bad-head': 'Nothing that this server says about keys can be checked. Ask its operator, and compare safety numbers.',
  /** The log is signed with another key than before. */
  'other-log-key': 'This is another server, one that was set up anew, or a lie: ask its operator before you accept it.',
  /** The log has fewer keys than it had. */
  rewound: 'A server that restored an old backup does this, and one that hides a key: ask its operator.',
  /** The log does not begin with what it was. */
  forked:
    'The server shows different logs to different people. Keep both heads as evidence, and trust no new key of it.',
  /** The head was signed long ago. */
  stale: 'The server hides what came since, or a clock is wrong: check the clock of this device first.',
  /** The server had a log and has none any more. */
  withdrawn: 'New keys can not be checked any more: ask the operator, and compare safety numbers.',
  /** The log does not hold the key that the server answered. */
  'not-in-log': 'Nothing was sealed for it. The server may have put a key of its own in place of the real one.',
  /** A key has another value than it had under the same id. */
  swapped: 'Nothing was sealed for it. Keys never change under their id: the server, or somebody in it, lies.',
  /** The server offers an older key than one that is known. */
  superseded: 'Nothing was sealed for it. Ask for the current key again; if this stays, the server offers an old key.',
  /** Somebody outside of a group made its key, or is to get one. */
  'not-a-member':
    'Nothing was sealed with it. The server may let somebody read along whom the list of members does not show.',
  /** A group key was made with a key that its creator does not have any more. */
  'creator-key-old':
    'Nothing was sealed with it. A newer group key must have taken its place: the server offers an old one.',
  /** The own account has a key that this device does not hold. */
  'own-key-unknown':
    'Another device of yours registered it without the keys of this one, or somebody else did: look at your sessions.',
  /** A contact whose key was compared has another key now. */
  'verified-changed': 'Nothing was sealed for it. Compare the safety number again, or take back the mark.',
} as const;

export type KeyTrustReason = keyof typeof advices;

export interface KeyTrustDetails {
  /** Whose key it is. */
  readonly mid?: string;
  readonly keyId?: number;
  /** The head that was remembered and the one that was shown: with both signatures they prove what the server did. */
  readonly heads?: { readonly known: KeyTreeHead; readonly shown: KeyTreeHead };
}

/** A key, or the log of keys, is not to be trusted. The message says what was found and what to do. */
export class KeyTrustError extends Error {
  override readonly name = 'KeyTrustError';
  readonly reason: KeyTrustReason;
  readonly mid: string | undefined;
  readonly keyId: number | undefined;
  readonly heads: KeyTrustDetails['heads'];

  constructor(reason: KeyTrustReason, found: string, details: KeyTrustDetails = {}) {
    super(`${found}. ${advices[reason]}`);
    this.reason = reason;
    this.mid = details.mid;
    this.keyId = details.keyId;
    this.heads = details.heads;
  }
}
