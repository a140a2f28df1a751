// The faults that a key or the key log can have, each with advice for the user.
import type { KeyTreeHead } from '@sealpost/contract';

const advices = {
  /** The head of the log is malformed, or its signature is wrong. */
  'bad-head': 'Nothing that this server says about keys can be checked. Ask its operator, and compare safety numbers.',
  /** The log is signed with another key than before. */
  'other-log-key': 'This is another server, one that was set up anew, or a lie: ask its operator before you accept it.',
  /** The log has fewer keys than before, or the server does not list a key of this device. */
  rewound: 'A server that restored an old backup does this, and one that hides a key: ask its operator.',
  /** The log does not continue the log that this device remembers. */
  forked:
    'The server shows different logs to different people. Keep both heads as evidence, and trust no new key of it.',
  /** The head was signed more than a day ago. */
  stale: 'The server hides what came since, or a clock is wrong: check the clock of this device first.',
  /** The server had a log, and now has none. */
  withdrawn: 'New keys cannot be checked any more: ask the operator, and compare safety numbers.',
  /** The log does not have the key that the server returned. */
  'not-in-log': 'Nothing was sealed for it. The server may have put a key of its own in place of the real one.',
  /** A key has changed under the same id. */
  swapped: 'Nothing was sealed for it. Keys never change under their id: the server, or somebody in it, lies.',
  /** The key that the server offers as the current one is older than a known key. */
  superseded: 'Nothing was sealed for it. Ask for the current key again; if this stays, the server offers an old key.',
  /** The creator or a receiver of a group key is not a member of the group. */
  'not-a-member':
    'Nothing was sealed with it. The server may let somebody read along whom the list of members does not show.',
  /** A group key was made with a key that its creator no longer has. */
  'creator-key-old':
    'Nothing was sealed with it. A newer group key must have taken its place: the server offers an old one.',
  /** This account has a key that this device does not have. */
  'own-key-unknown':
    'Another device of yours registered it without the keys of this one, or somebody else did: look at your sessions.',
  /** The key of a verified contact has changed. */
  'verified-changed': 'Nothing was sealed for it. Compare the safety number again, or remove the mark.',
} as const;

export type KeyTrustReason = keyof typeof advices;

export interface KeyTrustDetails {
  /** The mid of the key's owner. */
  readonly mid?: string;
  readonly keyId?: number;
  /**
   * The head that this device remembered, and the head that the server showed. Both are signed, so together they prove
   * what the server did.
   */
  readonly heads?: { readonly known: KeyTreeHead; readonly shown: KeyTreeHead };
}

/** The error for a key, or a log of keys, that must not be trusted. The message says what was found and what to do. */
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
