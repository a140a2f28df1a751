// The settings of calls to other servers, and of Web Push.
import { networkOf } from '../../platform/outbound/address-rules.ts';
import { isPrivateKey } from '../../slices/push/index.ts';
import { itemsOf, refused, type SettingValue } from './setting-value.ts';

export interface PushConfig {
  /** The private key of Web Push; undefined if the server keeps one in the database. */
  readonly key: Buffer | undefined;
  /** An address for push services that want to reach the operator, for example `mailto:`. */
  readonly contact: string;
}

/** The contact if the settings name none and the server has no public address. Mail to it reaches nobody. */
const NO_CONTACT = 'mailto:operator@localhost';

export function networksOf(given: SettingValue): readonly string[] {
  const networks = itemsOf(given);
  for (const network of networks) {
    try {
      networkOf(network);
    } catch {
      throw refused(
        given,
        `addresses and networks like 10.0.0.5 or 10.0.0.0/8, and ${JSON.stringify(network)} is not one`,
      );
    }
  }
  return networks;
}

export function pushOf(of: (name: string) => SettingValue): PushConfig {
  const [key, contact, { value: publicUrl }] = [of('push-key'), of('push-contact'), of('public-url')];
  const secret = key.value === '' ? undefined : Buffer.from(key.value, 'base64url');
  if (secret && !isPrivateKey(secret)) throw refused(key, 'a private key of P-256, 32 bytes in base64url');
  if (contact.value !== '' && !/^(mailto:[^@\s]+@\S+|https:\/\/\S+)$/.test(contact.value))
    throw refused(contact, 'an address like mailto:operator@example.org or https://example.org');
  const usual = publicUrl.startsWith('https://') ? publicUrl : NO_CONTACT;
  return { key: secret, contact: contact.value || usual };
}
