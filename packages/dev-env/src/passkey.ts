// A passkey in memory: it answers as an authenticator behind a browser does, with its own ES256 key and without
// attestation. Tests can make it send a wrong origin, a wrong name of the server, or an older counter.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@sealpost/contract/admin';

/** The wrong values that a passkey sends in place of the right ones. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  /** The id under which the answer is sent, in place of the passkey's own id. */
  readonly id?: string;
  readonly type?: string;
}

export interface Passkey {
  readonly id: string;
  create(options: PasskeyCreation, lies?: Lies): NewPasskey;
  get(options: PasskeyRequest, lies?: Lies): PasskeyAnswer;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');
const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
/** Returns bytes, or a text, as CBOR, with the length in as few bytes as possible. The length must be below 65,536. */
function cbor(major: 2 | 3, content: Buffer): Buffer {
  const { length } = content;
  const head = (size: number) => uint((major << 5) + size, 1);
  if (length < 24) return Buffer.concat([head(length), content]);
  if (length < 256) return Buffer.concat([head(24), uint(length, 1), content]);
  return Buffer.concat([head(25), uint(length, 2), content]);
}
const cborText = (content: string): Buffer => cbor(3, Buffer.from(content));

/** @param origin the origin of the page that uses the passkey */
export function createPasskey(origin: string): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = text(credentialId);
  let counter = 0;

  const clientData = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, flags: number, lies: Lies): Buffer => {
    counter += 1;
    return Buffer.concat([sha256(lies.rpId ?? rpId), uint(flags, 1), uint(lies.counter ?? counter, 4)]);
  };
  /**
   * Returns the public key in the form of COSE: a map with numbers as keys, for the key type, algorithm, curve, x and
   * y.
   */
  const coseKey = (): Buffer => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coordinate = (value: string) => cbor(2, Buffer.from(value, 'base64url'));
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ]);
  };

  return {
    id,
    create({ challenge, rp }, lies = {}) {
      const data = Buffer.concat([
        authenticatorData(rp.id, USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, lies),
        Buffer.alloc(16),
        uint(credentialId.length, 2),
        credentialId,
        coseKey(),
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cbor(2, data)],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, lies)),
          attestationObject: text(attestation),
          transports: ['usb'],
        },
      };
    },
    get({ challenge, rpId }, lies = {}) {
      const client = clientData('webauthn.get', challenge, lies);
      const data = authenticatorData(rpId, USER_PRESENT | USER_VERIFIED, lies);
      return {
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: 'public-key',
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      };
    },
  };
}
