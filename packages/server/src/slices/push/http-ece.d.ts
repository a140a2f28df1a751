// Types for the part of http_ece that is used here. The package has none.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface EncryptParameters {
    readonly version: 'aes128gcm';
    /** The public key of the receiver. */
    readonly dh: Buffer;
    readonly authSecret: Buffer;
    /** The key pair of the sender, made for this message. */
    readonly privateKey: ECDH;
    readonly salt: Buffer;
  }
  const ece: { encrypt(content: Buffer, parameters: EncryptParameters): Buffer };
  export default ece;
}
