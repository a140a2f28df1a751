// Random bytes as text in hex or base64url, for ids and secrets.
import type { Random } from '@sealpost/contract/ports';

export const randomHex = (random: Random, bytes: number): string => viewOf(random.bytes(bytes)).toString('hex');

export const randomBase64url = (random: Random, bytes: number): string =>
  viewOf(random.bytes(bytes)).toString('base64url');

const viewOf = (bytes: Uint8Array<ArrayBuffer>): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
