// Caches shared secrets by pair of keys, because computing one takes about a millisecond in JavaScript. Sealing a text
// takes only a tenth of that time.
import { type Bytes, sharedSecret } from '@sealpost/crypto';

export interface SharedSecrets {
  /**
   * Returns the shared secret of a private key and a public key. `name` identifies the private key in the memory, so
   * each private key needs its own. Use the secret at once, because it may be overwritten later.
   * @throws if the public key gives everybody the same secret
   */
  of(name: string, privateKey: Uint8Array, publicKey: Uint8Array): Bytes;
  /** Overwrites all cached secrets. */
  wipe(): void;
}

const MOST = 2_000;

export function createSharedSecrets(most = MOST): SharedSecrets {
  const secrets = new Map<string, Bytes>();

  function remember(key: string, secret: Bytes): Bytes {
    secrets.set(key, secret);
    if (secrets.size <= most) return secret;
    const [oldest, old] = secrets.entries().next().value as [string, Bytes];
    old.fill(0);
    secrets.delete(oldest);
    return secret;
  }

  return {
    of(name, privateKey, publicKey) {
      const key = `${name} ${String.fromCharCode(...publicKey)}`;
      const known = secrets.get(key);
      if (!known) return remember(key, sharedSecret(privateKey, publicKey));
      // The secret moves to the end of the map, so that the first entry is always the least recently used.
      secrets.delete(key);
      secrets.set(key, known);
      return known;
    },
    wipe() {
      for (const secret of secrets.values()) secret.fill(0);
      secrets.clear();
    },
  };
}
