// What a message with a sticker says.
import { contentTypes } from '@sealpost/contract';
import type { UsedSticker } from '../../../media/recent-stickers.ts';
import type { Content } from './attach-menu.tsx';

export const stickerContent = ({ packageId, stickerId, version, text }: UsedSticker): Content => ({
  contentType: contentTypes.STICKER,
  // The server sets the text itself; here it stands for the picture while the message waits.
  contentMetadata: { STKPKGID: packageId, STKID: stickerId, STKVER: version, STKTXT: text },
});
