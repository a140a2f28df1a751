// Shared secrets by pair of keys. An agreement costs about a millisecond in JavaScript, sealing a text a tenth of that.
import { type Bytes, sharedSecret } from '@sealpost/crypto';

export interface SharedSecrets {
  /**
   * The secret of a private key, which `name` stands for, and a public one. Use it in the same breath: it may be
   * overwritten later.
   * @throws if the public key gives everybody the same secret
   */
  of(name: string, privateKey: Uint8Array, publicKey: Uint8Array): Bytes;
  /** Overwrites all of them. */
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
      // Moved to the end: the first one is always the one that was not used for longest.
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
