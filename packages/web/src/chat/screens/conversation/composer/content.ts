// What is sent at once, without the composer's text.
import { contentTypes } from '@sealpost/contract';
import type { SealableMessage } from '@sealpost/sdk';
import type { UsedSticker } from '../../../media/recent-stickers.ts';

export type Content = Omit<SealableMessage, 'to'>;

export const stickerContent = ({ packageId, stickerId, version, text }: UsedSticker): Content => ({
  contentType: contentTypes.STICKER,
  // The server sets the text itself; here it stands for the picture while the message waits.
  contentMetadata: { STKPKGID: packageId, STKID: stickerId, STKVER: version, STKTXT: text },
});
