import { brandHeader, plainHeaders } from '@sealpost/contract';

/** Names of the headers that identify the caller, in lower case as Node provides them. */
export interface HeaderNames {
  readonly access: string;
  /** The same header in the case of the documentation, for errors. */
  readonly accessAsDocumented: string;
  readonly version: string;
  /** The header in which existing clients send their version. */
  readonly chromeVersion: string;
  readonly channel: string;
  readonly signature: string;
}

export const headerNames = (brand: string): HeaderNames => ({
  access: brandHeader(brand, 'access').toLowerCase(),
  accessAsDocumented: brandHeader(brand, 'access'),
  version: brandHeader(brand, 'clientVersion').toLowerCase(),
  chromeVersion: brandHeader(brand, 'chromeVersion').toLowerCase(),
  channel: brandHeader(brand, 'channelToken').toLowerCase(),
  signature: plainHeaders.hmac.name.toLowerCase(),
});
