import { brandHeader, plainHeaders } from '@sealpost/contract';

/** The headers that say who calls, as a request has them. */
export interface HeaderNames {
  readonly access: string;
  readonly version: string;
  /** Names the version in its stead, as existing clients do. */
  readonly chromeVersion: string;
  readonly channel: string;
  readonly signature: string;
}

export const headerNames = (brand: string): HeaderNames => ({
  access: brandHeader(brand, 'access').toLowerCase(),
  version: brandHeader(brand, 'clientVersion').toLowerCase(),
  chromeVersion: brandHeader(brand, 'chromeVersion').toLowerCase(),
  channel: brandHeader(brand, 'channelToken').toLowerCase(),
  signature: plainHeaders.hmac.name.toLowerCase(),
});
