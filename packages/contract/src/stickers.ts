// Channel token and sticker shop (specification: Endpoints, Channel token, sticker shop).
import Type, { type Static } from 'typebox';
import { exampleMids } from './argument-forms.ts';
import {
  customizedTextStatus,
  popupLayers,
  productAvailability,
  productTypes,
  stickerResourceTypes,
  stickerSizes,
  sticonResourceTypes,
} from './enums.ts';
import { isMid } from './ids.ts';
import { arg, optionalArg, rpc } from './method.ts';
import { Bool, countUpTo, I32, I64Text, list, Mid, NumericEnum, optional, StringMap, Text } from './schema.ts';

export const ChannelToken = Type.Object(
  {
    token: Type.String(),
    obsToken: optional(Type.String()),
    expiration: Type.String({ pattern: '^\\d{1,19}$', description: 'i64 as a decimal string: epoch seconds' }),
    refreshToken: Type.String(),
    channelAccessToken: Type.String(),
  },
  { title: 'ChannelToken' },
);
export type ChannelToken = Static<typeof ChannelToken>;

export const NameTextProperty = Type.Object(
  {
    status: NumericEnum('CustomizedTextStatus', customizedTextStatus),
    plainText: optional(Type.String()),
    nameTextMaxCharacterCount: optional(I32),
    encryptedText: optional(Type.String()),
  },
  { title: 'NameTextProperty' },
);
export type NameTextProperty = Static<typeof NameTextProperty>;

export const StickerSummary = Type.Object(
  {
    stickerIdRanges: optional(list(Type.Object({ start: I64Text, size: I32 }))),
    suggestVersion: optional(I64Text),
    stickerHash: optional(Type.String()),
    defaultDisplayOnKeyboard: optional(Bool),
    stickerResourceType: NumericEnum('StickerResourceType', stickerResourceTypes),
    nameTextProperty: optional(NameTextProperty),
    availableForPhotoEdit: optional(Bool),
    popupLayer: optional(NumericEnum('PopupLayer', popupLayers)),
    stickerSize: optional(NumericEnum('StickerSize', stickerSizes)),
    availableForCombinationSticker: optional(Bool),
  },
  { title: 'StickerSummary' },
);

export const SticonSummary = Type.Object(
  {
    suggestVersion: optional(I64Text),
    availableForPhotoEdit: optional(Bool),
    sticonResourceType: NumericEnum('SticonResourceType', sticonResourceTypes),
  },
  { title: 'SticonSummary' },
);

export const ThemeSummary = Type.Object(
  { imagePath: optional(Type.String()), version: optional(I64Text), versionString: optional(Type.String()) },
  { title: 'ThemeSummary' },
);

export const ProductSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    latestVersion: I64Text,
    applicationVersionRange: optional(
      Type.Object({
        lowerBound: optional(Type.String()),
        lowerBoundInclusive: optional(Bool),
        upperBound: optional(Type.String()),
        upperBoundInclusive: optional(Bool),
      }),
    ),
    grantedByDefault: optional(Bool),
    attributes: optional(StringMap),
    productTypeSummary: Type.Object({
      stickerSummary: optional(StickerSummary),
      themeSummary: optional(ThemeSummary),
      sticonSummary: optional(SticonSummary),
    }),
    validUntil: optional(I64Text),
    validFor: optional(I32),
    createdTime: optional(I64Text),
    installedTime: optional(I64Text),
    availability: optional(NumericEnum('ProductAvailability', productAvailability)),
    authorId: optional(Type.String()),
    canAutoDownload: optional(Bool),
  },
  { title: 'ProductSummary' },
);
export type ProductSummary = Static<typeof ProductSummary>;

export const SticonOwnership = Type.Object(
  {
    productId: Type.String(),
    emojiId: Type.String(),
    ownershipToken: Type.String(),
    resourceType: NumericEnum('SticonResourceType', sticonResourceTypes),
    version: I32,
  },
  { title: 'SticonOwnership' },
);
export type SticonOwnership = Static<typeof SticonOwnership>;

export const CustomizedImageTextRequest = Type.Object(
  {
    productType: NumericEnum('ProductType', productTypes),
    productId: Text(100),
    nameRequestEntry: Type.Object({ text: optional(Text(1000)) }),
  },
  { title: 'CustomizedImageTextRequest' },
);
export type CustomizedImageTextRequest = Static<typeof CustomizedImageTextRequest>;

const nameText = Type.Object({ nameTextProperty: NameTextProperty });
const productErrors = ['SHOP_ILLEGAL_ARGUMENT', 'SHOP_NOT_FOUND', 'SHOP_NOT_OWNED'] as const;

export const stickers = {
  'ChannelService.issueChannelToken': rpc({
    summary: 'Returns a token for a channel, such as the timeline.',
    auth: 'user',
    limit: 'write',
    args: [arg('channelId', Text(64))],
    result: ChannelToken,
    errors: ['CHANNEL_ILLEGAL_ARGUMENT'],
  }),
  'ChannelService.refreshChannelToken': rpc({
    summary:
      'Returns a new token for the refresh token of an earlier one. The earlier token stays valid until it expires.',
    auth: 'user',
    limit: 'write',
    args: [arg('channelId', Text(64)), arg('refreshToken', Text(200))],
    result: ChannelToken,
    errors: ['CHANNEL_ILLEGAL_ARGUMENT', 'CHANNEL_AUTHENTICATION_FAILED'],
    origin: 'extension',
  }),
  'ShopService.getOwnedProductSummaries': rpc({
    summary: 'Returns a page of the sticker or emoji packages that the caller owns.',
    auth: 'user',
    limit: 'read',
    args: [
      arg('shopId', Text(64)),
      optionalArg('offset', I32),
      optionalArg('limit', countUpTo('productsPerPage')),
      optionalArg('displayInfo', Type.Object({ language: optional(Text(32)), country: optional(Text(32)) })),
    ],
    alsoTakes: [
      {
        description: "the caller's mid instead of the four values: all emoji packages",
        example: [exampleMids.user],
        matches: (args) => args.length === 1 && typeof args[0] === 'string' && isMid(args[0]),
        canonical: () => ['sticonshop'],
      },
    ],
    result: Type.Object({ productList: list(ProductSummary), offset: I32, totalSize: I32 }),
    errors: ['SHOP_ILLEGAL_ARGUMENT'],
  }),
  'ShopService.setCustomizedImageText': rpc({
    summary: 'Saves the text that the stickers of an owned package show. Nothing is saved unless the status is OK.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', CustomizedImageTextRequest)],
    result: nameText,
    errors: productErrors,
    emits: [{ type: 'NOTIFIED_UPDATE_PURCHASES', to: 'self' }],
  }),
  'ShopService.previewCustomizedImageText': rpc({
    summary: 'Returns what setCustomizedImageText would return, and saves nothing.',
    auth: 'user',
    limit: 'read',
    args: [arg('request', CustomizedImageTextRequest)],
    result: nameText,
    errors: productErrors,
  }),
  'TalkService.getSticonOwnershipByMid': rpc({
    summary: 'Returns the emoji that the caller owns.',
    auth: 'user',
    limit: 'read',
    args: [arg('mid', Mid)],
    alsoTakes: [
      {
        description: 'two values: 1, mid',
        example: [1, exampleMids.user],
        matches: (args) => args.length === 2 && typeof args[0] === 'number',
        canonical: ([, mid]) => [mid],
      },
    ],
    result: list(SticonOwnership),
    errors: ['INVALID_MID'],
    origin: 'compatibility',
  }),
  'ShopService.getSticonOwnershipByMid': rpc({
    summary: 'Returns the emoji that the caller owns.',
    auth: 'user',
    limit: 'read',
    args: [arg('mid', Mid)],
    result: list(SticonOwnership),
    errors: ['SHOP_ILLEGAL_ARGUMENT'],
    origin: 'compatibility',
  }),
} as const;
