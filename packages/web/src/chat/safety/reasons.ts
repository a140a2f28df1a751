// Texts that say why a message stays sealed, was not sent, or goes in the clear, and what an alarm about keys means.
// The SDK names each reason, and the tables in this module have a text for each name.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export interface Reason {
  readonly what: MessageDescriptor;
  readonly helps: MessageDescriptor;
}

const openFailures: Readonly<Record<string, Reason>> = {
  'unknown-key': {
    what: msg`It was sealed for a key of yours that this browser does not have.`,
    helps: msg`Get your keys from another device or from your backup.`,
  },
  'no-group-share': {
    what: msg`It was sealed before you joined, or its sender left you out.`,
    helps: msg`What was written before you joined stays closed. If you were here already, ask for it again.`,
  },
  'broken-group-share': {
    what: msg`The key of the group that came with it does not fit.`,
    helps: msg`Ask the sender to send it again.`,
  },
  'wrong-sender': {
    what: msg`Its key does not belong to its sender. Somebody else may have written it.`,
    helps: msg`Do not rely on it. Ask the sender in another way.`,
  },
  'wrong-receiver': {
    what: msg`It was sealed for a key that is not yours.`,
    helps: msg`Ask the sender to send it again.`,
  },
  'untrusted-key': {
    what: msg`The key of its sender cannot be trusted.`,
    helps: msg`Do not rely on it. Compare the safety number.`,
  },
  tampered: {
    what: msg`It was changed on its way, or sealed with other keys than it says.`,
    helps: msg`Ask the sender to send it again. If it happens again, compare the safety number.`,
  },
  'metadata-changed': {
    what: msg`Its sender, receiver or kind was changed on its way.`,
    helps: msg`Do not rely on it. Ask the sender to send it again.`,
  },
  repeated: {
    what: msg`It is a copy of an earlier message, which its sender did not send.`,
    helps: msg`Look at the first one. You need to do nothing.`,
  },
  version: {
    what: msg`It was sealed in a way that this page does not know.`,
    helps: msg`Load the page again. If that does not help, the sender may need an update.`,
  },
  malformed: {
    what: msg`It is damaged.`,
    helps: msg`Ask the sender to send it again.`,
  },
  payload: {
    what: msg`It opens, but its content is not what it claims to be.`,
    helps: msg`Ask the sender to send it again.`,
  },
  unavailable: {
    what: msg`The keys for it could not be fetched.`,
    helps: msg`Try again when you are connected.`,
  },
};

const unknown: Reason = {
  what: msg`It does not open.`,
  helps: msg`Ask the sender to send it again.`,
};

/** Returns the texts that explain why a sealed message was not opened. */
export const openFailure = (reason: string): Reason => openFailures[reason] ?? unknown;

const plainReasons: Readonly<Record<string, Reason>> = {
  'sender-off': {
    what: msg`You have turned sealing off in the settings of your account.`,
    helps: msg`Turn it on again to seal what you write.`,
  },
  'receiver-off': {
    what: msg`The other person has no key yet, or has turned sealing off.`,
    helps: msg`It will be sealed by itself as soon as they log in with an app that seals.`,
  },
  'member-off': {
    what: msg`Somebody in this chat has no key yet, or has turned sealing off.`,
    helps: msg`It will be sealed by itself as soon as everybody logs in with an app that seals.`,
  },
  'too-many-members': {
    what: msg`This chat has too many members to be sealed.`,
    helps: msg`Use a smaller chat for what must stay private.`,
  },
  'type-not-taken': {
    what: msg`The server says that this kind of message is not taken sealed.`,
    helps: msg`Send it as a text.`,
  },
  'no-sealed-form': {
    what: msg`This kind of message has no sealed form.`,
    helps: msg`Send it as a text, a picture or a file.`,
  },
  asked: {
    what: msg`You asked to send it in the clear.`,
    helps: msg`Send the next one without asking for that.`,
  },
};

/** Returns the texts for a reason why messages into a chat are not sealed. */
export const plainReason = (reason: string): Reason => plainReasons[reason] ?? unknown;

const alarms: Readonly<Record<string, Reason>> = {
  'bad-head': {
    what: msg`The server's public record of keys is not signed as it must be.`,
    helps: msg`Do not trust new keys of this server. Ask its operator, and compare safety numbers.`,
  },
  'other-log-key': {
    what: msg`The server's public record of keys is signed by somebody else than before.`,
    helps: msg`Ask the operator whether the server was set up anew. If not, somebody may be in between.`,
  },
  rewound: {
    what: msg`The server's public record of keys lacks keys that it had.`,
    helps: msg`The server may have restored an old backup, or it hides a key. Ask its operator.`,
  },
  forked: {
    what: msg`The server's public record of keys does not continue the one you saw before.`,
    helps: msg`The server may show different records to different people. Compare safety numbers before you rely on it.`,
  },
  stale: {
    what: msg`The server's public record of keys is more than a day old.`,
    helps: msg`Check the clock of this device first. If it is right, ask the operator.`,
  },
  withdrawn: {
    what: msg`The server does not show its public record of keys any more.`,
    helps: msg`New keys cannot be checked. Ask the operator, and compare safety numbers.`,
  },
  'not-in-log': {
    what: msg`The server gave a key that is missing in its public record.`,
    helps: msg`Nothing was sealed for this key. It may belong to somebody in between. Compare the safety number.`,
  },
  swapped: {
    what: msg`The server gave another key under a number that was taken.`,
    helps: msg`Nothing was sealed for this key. Real keys never change like this: somebody may be in between.`,
  },
  superseded: {
    what: msg`The server offered an old key in place of the current one.`,
    helps: msg`Nothing was sealed for it. Try again later; if it stays, ask the operator.`,
  },
  'not-a-member': {
    what: msg`The key of a group was made by, or for, somebody who is not a member.`,
    helps: msg`Nothing was sealed with it. Look at the members before you write.`,
  },
  'creator-key-old': {
    what: msg`The server offered an old key of a group.`,
    helps: msg`Nothing was sealed with it. Try again later.`,
  },
  'own-key-unknown': {
    what: msg`Your account has a key that this browser does not have.`,
    helps: msg`If you made new keys on another device, all is well: get them from there. If not, somebody else is in your account: look at your devices.`,
  },
  'verified-changed': {
    what: msg`The key of a person whose safety number you compared is another one now.`,
    helps: msg`Nothing was sealed for the new key. Compare the safety number again, or remove the mark.`,
  },
};

/** Returns the texts that explain an alarm about keys; undefined if no alarm has this reason. */
export const alarmReason = (reason: string): Reason | undefined => alarms[reason];

const sendFailures: Readonly<Record<string, Reason>> = {
  'own-key-missing': {
    what: msg`This browser does not have your keys, so it cannot seal.`,
    helps: msg`Get your keys from another device or from your backup, then try again.`,
  },
  'must-be-plain': {
    what: msg`It had to be sealed, and cannot be sealed for everybody at the moment.`,
    helps: msg`Wait until everybody has keys, or send this one in the clear.`,
  },
  'would-downgrade': {
    what: msg`This chat was sealed until now, and at the moment it cannot be. So nothing was sent.`,
    helps: msg`Wait and try again, compare the safety number, or send only this one in the clear.`,
  },
  'must-be-sealed': {
    what: msg`It was to go in the clear, but this chat takes only sealed messages.`,
    helps: msg`Send it again: it will be sealed.`,
  },
  'no-key-material': {
    what: msg`The file was not sealed, and this chat takes only sealed ones.`,
    helps: msg`Delete it here, and attach the file again.`,
  },
};

/**
 * Returns the texts that explain why a message was not sent; undefined if the reason has nothing to do with sealing.
 */
export const sendFailure = (reason: string): Reason | undefined => sendFailures[reason] ?? alarms[reason];
