// Makes content that is sent as soon as it is chosen, independently of the text in the composer.
import { contentTypes } from '@sealpost/contract';
import type { SealableMessage } from '@sealpost/sdk';
import type { UsedSticker } from '../../../media/recent-stickers.ts';

export type Content = Omit<SealableMessage, 'to'>;

export const stickerContent = ({ packageId, stickerId, version, text }: UsedSticker): Content => ({
  contentType: contentTypes.STICKER,
  // The server sets the text itself. Until then, this text describes the picture while the message waits.
  contentMetadata: { STKPKGID: packageId, STKID: stickerId, STKVER: version, STKTXT: text },
});
