// The table of message kinds, with the component that shows each kind.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import type { ComponentType } from 'react';
import { isUnsent } from '../../../rows/preview.ts';
import { ContactContent } from './contact-card.tsx';
import { FileContent } from './file.tsx';
import { PictureContent } from './picture.tsx';
import { PlaceContent } from './place.tsx';
import { SoundContent } from './sound.tsx';
import { StickerContent } from './sticker.tsx';
import { TextContent } from './text.tsx';
import { UnknownContent } from './unknown.tsx';
import { UnopenedContent } from './unopened.tsx';
import { UnsentContent } from './unsent.tsx';
import { VideoContent } from './video.tsx';

export type Content = ComponentType<{ message: StoredMessage }>;

const kinds: Readonly<Record<number, Content>> = {
  [contentTypes.NONE]: TextContent,
  [contentTypes.IMAGE]: PictureContent,
  [contentTypes.VIDEO]: VideoContent,
  [contentTypes.AUDIO]: SoundContent,
  [contentTypes.STICKER]: StickerContent,
  [contentTypes.CONTACT]: ContactContent,
  [contentTypes.FILE]: FileContent,
  [contentTypes.LOCATION]: PlaceContent,
};

/** Returns the component that shows the content of a message. */
export function contentOf(message: StoredMessage): Content {
  if (isUnsent(message)) return UnsentContent;
  if (message.sealing.state === 'unopened') return UnopenedContent;
  return kinds[message.contentType] ?? UnknownContent;
}
