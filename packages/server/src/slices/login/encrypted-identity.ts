// Values from which a client derives the key of its local storage. An account gets the same values at every login.
import type { EncryptedIdentityV3 } from '@sealpost/contract/schemas';
import { hmac } from '../../platform/kernel/digest.ts';
import type { ServerSecret } from '../sessions/index.ts';

const PARAMETER_BYTES = 16;

export function createEncryptedIdentity(secret: ServerSecret): (accountId: number) => EncryptedIdentityV3 {
  const key = secret.key('encrypted identity');
  return (accountId) => {
    const value = (name: string) => hmac(key, `${name} ${accountId}`);
    return {
      wrappedNonce: value('nonce').toString('base64'),
      kdfParameter1: value('kdf 1').subarray(0, PARAMETER_BYTES).toString('base64'),
      kdfParameter2: value('kdf 2').subarray(0, PARAMETER_BYTES).toString('base64'),
    };
  };
}
