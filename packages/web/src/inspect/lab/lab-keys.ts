// The keys with which somebody tries to open a message.
import type { Bytes } from '@sealpost/crypto';

/** A public key that the server has under an id. */
export interface KnownKey {
  readonly owner: string;
  readonly keyId: number;
  readonly publicKey: Bytes;
}

export interface LabKeys {
  readonly privateKey: Bytes;
  /** The other side's. If absent, it is chosen out of the known keys. */
  readonly publicKey?: Bytes | undefined;
  readonly known: readonly KnownKey[];
}
