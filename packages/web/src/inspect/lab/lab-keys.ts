// The keys that the user gives to open a message.
import type { Bytes } from '@sealpost/crypto';

/** A public key that the server has under an id. */
export interface KnownKey {
  readonly owner: string;
  readonly keyId: number;
  readonly publicKey: Bytes;
}

export interface LabKeys {
  readonly privateKey: Bytes;
  /** The public key of the other side. If absent, it is chosen from the known keys. */
  readonly publicKey?: Bytes | undefined;
  readonly known: readonly KnownKey[];
}
