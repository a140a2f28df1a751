// A summary of a message in one line, for the list of chats, for quotes above answers, and for announcements.
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { withoutTurns } from '../../words/shown-name.ts';
import { safeFileName } from '../media/file-name.ts';
import { systemText } from './system-text.ts';

export const isUnsent = ({ contentMetadata }: StoredMessage): boolean => contentMetadata.UNSENT === 'true';

/** Returns the content of a message in one line. This line cannot change the direction of the text around it. */
export const previewOf = (message: StoredMessage, nameOf: (mid: string) => string): string =>
  withoutTurns(lineOf(message, nameOf));

/** Returns what a sticker says. Its text is usually in square brackets, because it stands for a picture. */
const stickerText = (text = ''): string => text.replace(/^\[(.*)\]$/u, '$1');

function lineOf(message: StoredMessage, nameOf: (mid: string) => string): string {
  if (isUnsent(message)) return i18n._(msg`The message was unsent`);
  if (message.sealing.state === 'unopened') return i18n._(msg`This message could not be opened`);
  switch (message.contentType) {
    case contentTypes.NONE:
      return (message.text ?? '').replace(/\s+/gu, ' ').trim();
    case contentTypes.IMAGE:
      return i18n._(msg`Picture`);
    case contentTypes.VIDEO:
      return i18n._(msg`Video`);
    case contentTypes.AUDIO:
      return i18n._(msg`Voice message`);
    case contentTypes.STICKER:
      return stickerText(message.contentMetadata.STKTXT) || i18n._(msg`Sticker`);
    case contentTypes.FILE:
      return safeFileName(message.contentMetadata.FILE_NAME, i18n._(msg`File`));
    case contentTypes.LOCATION:
      return message.location?.title || i18n._(msg`Place`);
    case contentTypes.CONTACT:
      return i18n._(msg`Contact: ${message.contentMetadata.displayName ?? ''}`);
    case contentTypes.CHATEVENT:
      return systemText(message, nameOf);
    default:
      return message.text || i18n._(msg`A kind of message that this page cannot show`);
  }
}
