// The reasons why a message cannot be opened, was sent in the clear, or was not sent. Each reason has a cause and a
// remedy in words for users. docs/sealing.md has the same tables.

export interface Explanation {
  readonly cause: string;
  readonly remedy: string;
}

const tables = <T extends Record<string, Explanation>>(table: T): Readonly<Record<keyof T & string, Explanation>> =>
  table;

/** The reasons why a sealed message was not opened. */
export const openFailures = tables({
  'unknown-key': {
    cause: 'it was sealed with a key of this account that this device does not have',
    remedy: 'log in anew and let a device that has the key confirm it, or restore the backup of the keys',
  },
  'no-group-share': {
    cause: 'this account was given no share of the group key it was sealed with',
    remedy: 'ask a member to send it again: messages from before you joined stay closed',
  },
  'broken-group-share': {
    cause: 'the share of the group key does not open: it was made for other keys, or changed',
    remedy: 'ask the sender to send it again: the next message makes a new group key',
  },
  'wrong-sender': {
    cause: 'the key that it names does not belong to its sender: somebody else may have written it',
    remedy: 'do not trust it; ask the sender in another way',
  },
  'wrong-receiver': {
    cause: 'it was sealed for a key that does not belong to its receiver',
    remedy: 'ask the sender to send it again with a client that negotiates keys',
  },
  'untrusted-key': {
    cause: 'the key of its sender does not match the key log, or has changed',
    remedy: 'do not trust it; compare safety numbers, and audit the key log',
  },
  tampered: {
    cause: 'it was changed on the way, or sealed with other keys than the ones that it names',
    remedy: 'ask the sender to send it again; if it happens again, compare safety numbers',
  },
  'metadata-changed': {
    cause: 'its content type, sender or receiver is not what it was sealed with',
    remedy: 'do not trust it; ask the sender to send it again',
  },
  repeated: {
    cause: 'the same sealed message came before under another id',
    remedy: 'nothing: look at the first one, this one is a copy that the sender did not send',
  },
  version: {
    cause: 'its version of sealing does not exist, or is not the version of its chunks',
    remedy: 'update this client; if it is the newest, ask the sender to update',
  },
  malformed: {
    cause: 'its chunks do not have the layout of a sealed message',
    remedy: 'ask the sender to send it again with another client',
  },
  payload: {
    cause: 'it is authentic, but its content is not of the announced type',
    remedy: 'ask the sender to send it again with another client',
  },
  unavailable: {
    cause: 'the keys that it needs could not be fetched',
    remedy: 'try again when the server answers',
  },
});
export type OpenFailure = keyof typeof openFailures;

/** The explanation for a message that opens but does not prove who wrote it. */
export const unprovenKey: Explanation = {
  cause: 'no known member of the chat made the key it was sealed with: anybody may have written it',
  remedy: 'trust it as little as a message in the clear; ask the sender in another way',
};

/** The reasons why a message is sent in the clear. */
export const plainReasons = tables({
  'sender-off': {
    cause: 'Letter Sealing is off for this account',
    remedy: 'turn on the setting e2eeEnable',
  },
  'receiver-off': {
    cause: 'the receiver has Letter Sealing off, or no key yet',
    remedy: 'they must log in once with a client that seals',
  },
  'member-off': {
    cause: 'a member of the chat has Letter Sealing off, or no key yet',
    remedy: 'every member must log in once with a client that seals',
  },
  'too-many-members': {
    cause: 'the chat has more members than a group key can have',
    remedy: 'use a smaller chat for what must be sealed',
  },
  'type-not-taken': {
    cause: 'the server says that the receiver takes this type of content only in the clear',
    remedy: 'send it as a text; ask the operator if texts are not taken either',
  },
  'no-sealed-form': {
    cause: 'this type of content has no sealed form',
    remedy: 'send it as a text, a place, a picture, a video, a sound or a file',
  },
  asked: {
    cause: 'the sender asked to send it in the clear',
    remedy: 'send it without asking for that',
  },
});
export type PlainReason = keyof typeof plainReasons;

/** The reasons why a message was not sent. */
export const sendFailures = tables({
  'own-key-missing': {
    cause: 'this device does not have the current key of the account',
    remedy:
      'log in anew and let a device that has the key confirm it, restore the backup of the keys, or register a new key',
  },
  'must-be-plain': {
    cause: 'it had to be sealed, but the chat takes it only in the clear',
    remedy: 'allow it to be sent in the clear, or wait until it can be sealed for everybody',
  },
  'would-downgrade': {
    cause: 'the contact is verified or the chat was sealed before, and this message would go in the clear',
    remedy:
      'wait until it can be sealed for everybody again, or allow it for this one message: mode `plain`, on the command line --plain',
  },
  'must-be-sealed': {
    cause: 'it had to be sent in the clear, but the chat takes only sealed messages',
    remedy: 'send it sealed',
  },
  'no-key-material': {
    cause: 'the chat wants the object sealed, and the message has no key material',
    remedy: 'seal the object, upload it, and send its key material with the message',
  },
});
export type SendFailure = keyof typeof sendFailures;

/** The error for a message that was not sent because of its sealing. */
export class SealingError extends Error {
  override readonly name = 'SealingError';
  readonly reason: SendFailure;
  /** The reason why the message would go in the clear, for `must-be-plain` and `would-downgrade`. */
  readonly plainBecause: PlainReason | undefined;

  constructor(reason: SendFailure, detail: string, options: ErrorOptions & { plainBecause?: PlainReason } = {}) {
    const { cause, remedy } = sendFailures[reason];
    super(`not sent (${detail}): ${cause}. What helps: ${remedy}`, options);
    this.reason = reason;
    this.plainBecause = options.plainBecause;
  }
}

/**
 * The error for a sealed message that cannot be opened. Only the SDK itself sees this error: callers get the reason in
 * the message's `sealing`.
 */
export class UnopenedError extends Error {
  override readonly name = 'UnopenedError';
  readonly reason: OpenFailure;
  /** The id of the account's own key that is missing, for `unknown-key`. */
  readonly keyId: number | undefined;

  constructor(reason: OpenFailure, detail: string, options: ErrorOptions & { keyId?: number } = {}) {
    super(detail, options);
    this.reason = reason;
    this.keyId = options.keyId;
  }
}
