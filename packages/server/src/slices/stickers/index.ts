// Stickers and emoji: the exports of the slice.

export { productAdminHandlers } from './admin-routes.ts';
export { judgeProducts } from './message-products.ts';
export { createStickers, forgetProducts, type Stickers, type StickersDeps } from './stickers.ts';
