// The signature that a call should have.
import { brandHeader, clientVersion } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { createSigner } from '@sealpost/crypto';
import type { TestServer } from '../test-server.ts';
import { headerOf } from './calls.ts';

/** Returns the correct X-Hmac of a call, computed from its path, body and access token as the server received them. */
export async function signatureOf(server: TestServer, call: CallRecord): Promise<string> {
  const { buildToken, brand } = server;
  const version = headerOf(call, brandHeader(brand, 'clientVersion')) ?? clientVersion;
  const accessToken = headerOf(call, brandHeader(brand, 'access')) ?? '';
  const sign = await createSigner({ buildToken, version, accessToken });
  return sign({ path: call.path, body: Buffer.from(call.body, call.bodyForm === 'base64' ? 'base64' : 'utf8') });
}
