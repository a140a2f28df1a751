// The forms in which a client may write its signature. The right form is standard base64 of 32 bytes, with padding.
import { isSignatureForm } from '@sealpost/crypto/node';

export interface HmacForm {
  /** The bytes that the text encodes. */
  readonly bytes: Buffer;
  /** The fault of the form; undefined if there is none. */
  readonly cause?: string;
}

const HEX = /^[0-9a-f]{64}$/i;

/**
 * Returns the bytes that a signature header probably encodes, and the fault of its form. Returns undefined for a header
 * that does not look like a signature.
 */
export function hmacForm(given: string): HmacForm | undefined {
  if (isSignatureForm(given)) return { bytes: Buffer.from(given, 'base64') };
  const percent = /%[0-9a-f]{2}/i.test(given) ? unescaped(given) : given;
  const text = percent.trim().replace(/^"(.*)"$/, '$1');
  const around = [
    percent !== given && 'the signature is percent-encoded',
    text !== percent && 'spaces or quotes stand around the signature',
  ].filter((cause) => cause !== false);
  const inner = innerForm(text);
  if (!inner) return undefined;
  const causes = [...around, ...(inner.cause === undefined ? [] : [inner.cause])];
  return { bytes: inner.bytes, cause: causes.join(', and ') };
}

function innerForm(text: string): HmacForm | undefined {
  if (isSignatureForm(text)) return { bytes: Buffer.from(text, 'base64') };
  if (HEX.test(text)) return { bytes: Buffer.from(text, 'hex'), cause: 'the signature is hex in place of base64' };
  const bytes = Buffer.from(text, 'base64');
  const latin = bytes.toString('latin1');
  if (HEX.test(latin)) {
    return { bytes: Buffer.from(latin, 'hex'), cause: 'the signature is base64 of the hex text, not of the bytes' };
  }
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const size = [20, 48, 64].includes(bytes.length) ? `; ${hashOf[bytes.length]} makes as many` : '';
  if (bytes.length !== 32) return { bytes, cause: `the signature has ${bytes.length} bytes in place of 32${size}` };
  return { bytes, cause: 'the signature is base64url, or base64 without padding, in place of base64' };
}

const hashOf: Readonly<Record<number, string>> = { 20: 'SHA-1', 48: 'SHA-384', 64: 'SHA-512' };

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
