// The address in the QR code of a login.
import { fromBase64, KEY_LENGTH } from '@sealpost/crypto';

/** Reads the address in a login's QR code: the login id, and the public key of the device that shows the code. */
export function readQrCode(url: string): { loginId: string; publicKey?: string } {
  const parsed = URL.parse(url);
  const loginId = parsed?.pathname.split('/').at(-1) ?? '';
  if (!parsed || loginId === '') throw new RangeError(`"${url}" is not the address in a QR code of a login`);
  const secret = parsed.searchParams.get('secret');
  return secret !== null && isPublicKey(secret) ? { loginId, publicKey: secret } : { loginId };
}

function isPublicKey(text: string): boolean {
  try {
    return fromBase64(text).length === KEY_LENGTH;
  } catch {
    return false;
  }
}
