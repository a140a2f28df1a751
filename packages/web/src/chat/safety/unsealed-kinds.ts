// Texts that say what an open lock at a message means. Some kinds of messages are never sealed, not even in a sealed
// chat.
import { msg } from '@lingui/core/macro';
import { contentTypes } from '@sealpost/contract';
import type { Reason } from './reasons.ts';

const othersStaySealed = msg`Texts, pictures, videos, voice messages, files and places stay sealed wherever the chat is.`;

const kinds: Readonly<Record<number, Reason>> = {
  [contentTypes.STICKER]: {
    what: msg`Stickers are never sealed: the server can see which sticker was sent.`,
    helps: othersStaySealed,
  },
  [contentTypes.CONTACT]: {
    what: msg`Contact cards are never sealed: the server can see whose card was sent.`,
    helps: othersStaySealed,
  },
};

const sealable: Reason = {
  what: msg`This message was not sealed: whoever operates the server can read it.`,
  helps: msg`It was written when the chat could not be sealed, or its sender asked to send it in the clear.`,
};

/** Returns what it means that a message of a kind was not sealed. */
export const unsealedReason = (contentType: number): Reason => kinds[contentType] ?? sealable;
