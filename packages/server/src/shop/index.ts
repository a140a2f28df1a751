// Emoji that accounts own (specification: Channel token, sticker shop). This server sells and grants none yet, so
// everybody owns none; clients ask at their start and take no answer but a list.
import type { Handlers } from '../rpc/call.ts';

export const shopHandlers = (): Handlers => ({
  'TalkService.getSticonOwnershipByMid': () => [],
  'ShopService.getSticonOwnershipByMid': () => [],
});
