// Stickers and emoji: the catalogue, who owns what, and their pictures (specification: Channel token, sticker shop).

export { productAdminHandlers } from './admin-routes.ts';
export { judgeProducts } from './message-products.ts';
export { createStickers, forgetProducts, type Stickers, type StickersDeps } from './stickers.ts';
