// Parses a decrypted credential: session key, identifier and password, each preceded by one byte with its length.
import { sameText } from '../../platform/kernel/digest.ts';

export interface Credential {
  readonly identifier: string;
  readonly password: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseCredential(plain: Buffer, sessionKey: string): Credential | undefined {
  const fields: string[] = [];
  let at = 0;
  try {
    while (at < plain.length) {
      const end = at + 1 + (plain[at] ?? 0);
      if (end > plain.length) return undefined;
      fields.push(decoder.decode(plain.subarray(at + 1, end)));
      at = end;
    }
  } catch {
    return undefined;
  }
  const [key, identifier, password] = fields;
  if (fields.length !== 3 || identifier === undefined || password === undefined) return undefined;
  return sameText(key ?? '', sessionKey) ? { identifier, password } : undefined;
}
