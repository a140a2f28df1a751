// The path of each service, and the errors and headers of services. This file imports no schema, so that browsers can
// use it.
import type { ErrorName } from './errors.ts';

/** The beginning of the paths of each service's methods; the name of the method follows (specification: Endpoints). */
export const servicePaths = {
  TalkService: '/api/talk/thrift/Talk/TalkService',
  AuthService: '/api/talk/thrift/Talk/AuthService',
  ChannelService: '/api/talk/thrift/Talk/ChannelService',
  BuddyService: '/api/talk/thrift/Talk/BuddyService',
  RelationService: '/api/talk/thrift/Relation/RelationService',
  SecondaryQrCodeLoginService: '/api/talk/thrift/LoginQrCode/SecondaryQrCodeLoginService',
  SecondaryQrCodeLoginPermitNoticeService: '/api/talk/thrift/LoginQrCode/SecondaryQrCodeLoginPermitNoticeService',
  ShopService: '/api/shop/thrift/ShopService/ShopService',
  PrimaryDeviceService: '/api/talk/thrift/Primary/PrimaryDeviceService',
  KeyTransparencyService: '/api/talk/thrift/KeyTransparency/KeyTransparencyService',
  KeyBackupService: '/api/talk/thrift/KeyBackup/KeyBackupService',
  PushService: '/api/talk/thrift/Push/PushService',
} as const;

export type ServiceName = keyof typeof servicePaths;

/**
 * Services whose methods have a separate error for a value that is out of range. Methods of all other services answer
 * ILLEGAL_ARGUMENT.
 */
const illegalValues: Partial<Record<ServiceName, ErrorName>> = {
  SecondaryQrCodeLoginService: 'QR_ILLEGAL_ARGUMENT',
  SecondaryQrCodeLoginPermitNoticeService: 'QR_ILLEGAL_ARGUMENT',
  ShopService: 'SHOP_ILLEGAL_ARGUMENT',
  ChannelService: 'CHANNEL_ILLEGAL_ARGUMENT',
  RelationService: 'REJECTED_MALFORMED',
};

/** Returns the error of a method for a value that has the right JSON type but is out of range. */
export const illegalValueOf = (method: `${ServiceName}.${string}`): ErrorName =>
  illegalValues[method.split('.')[0] as ServiceName] ?? 'ILLEGAL_ARGUMENT';

/** Returns the path of a method, for example of `TalkService.sendMessage`. */
export function pathOf(method: `${ServiceName}.${string}`): string {
  const [service, name] = method.split('.') as [ServiceName, string];
  return `${servicePaths[service]}/${name}`;
}

/** All headers of the protocol whose names contain the service's brand, as `X-<brand>-<rest>`. */
export const brandHeaders = {
  access: { rest: 'Access', doc: 'access token' },
  clientVersion: { rest: 'Client-Version', doc: 'client version, `3.7.2`; part of the signature key' },
  chromeVersion: {
    rest: 'Chrome-Version',
    doc: 'the same under the name that existing clients send; not used if the other one is present',
  },
  application: { rest: 'Application', doc: 'platform, version and system; never required' },
  sessionId: { rest: 'Session-ID', doc: 'login session or verifier of a long poll' },
  channelToken: { rest: 'ChannelToken', doc: 'channel token for timeline paths' },
} as const;

/** The headers of the protocol whose names do not contain the brand. */
export const plainHeaders = {
  hmac: { name: 'X-Hmac', doc: 'base64 signature of path and body' },
  longPollTime: { name: 'X-LST', doc: 'how long a poll may wait, in milliseconds' },
  locale: { name: 'X-LAL', doc: 'locale, for example `en_US`' },
  talkMeta: { name: 'X-Talk-Meta', doc: 'message that carries a sealed object' },
  obsParams: { name: 'X-Obs-Params', doc: 'parameters of an upload: base64 of JSON, the struct ObjectParameters' },
} as const;

export type BrandHeader = keyof typeof brandHeaders;
export type PlainHeader = keyof typeof plainHeaders;

/** Returns the name of a header for a brand, for example `X-Svc-Access`. */
export const brandHeader = (brand: string, header: BrandHeader): string => `X-${brand}-${brandHeaders[header].rest}`;

export const clientVersion = '3.7.2';

/** The only channel for which clients request a token (specification: Channel token, sticker shop). */
export const timelineChannel = '1341209850';

/**
 * The paths of the endpoints that are not RPCs (specification: Endpoints). Paths under `/r/` belong to the address of
 * the object storage.
 */
export const httpPaths = {
  tokenRefresh: '/api/auth/tokenRefresh',
  operationReceive: '/api/operation/receive',
  longPollLF1: '/api/talk/long-polling/LF1',
  longPollJQ: '/api/talk/long-polling/JQ',
  notices: '/api/lan/notice',
  uploadProfile: '/api/obs/uploadProfile',
  copyForMessage: '/api/obs/copyForMessage',
  stickerPicture: '/stickershop/v1/sticker/{stickerId}/android/sticker.png',
  stickerAnimation: '/stickershop/v1/sticker/{stickerId}/android/sticker_animation.png',
  stickerSound: '/stickershop/v1/sticker/{stickerId}/android/sticker_sound.m4a',
  sticonPicture: '/sticonshop/v1/sticon/{productId}/android/{sticonId}.png',
  homeId: '/api/timeline/homeId',
  getCover: '/api/timeline/getCover',
  updateCover: '/api/timeline/updateCover',
  directObject: '/r/{service}/{sid}/{oid}',
  objectInfo: '/r/{service}/{sid}/{oid}/info.obs',
  playback: '/r/{service}/{sid}/{oid}/playback.obs',
} as const;
