export { curlOf } from './curl.ts';
export { type Har, harOf } from './har.ts';
export type { Destination } from './record-parts.ts';
export { type SdkSettings, sdkCodeOf } from './sdk-code.ts';
