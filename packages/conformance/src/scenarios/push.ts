import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';

const heading = 'none: an endpoint beyond the specification (extension)';
const PUSH = 'PushService';
const POINT_BYTES = 65;
/** The public key and the secret from the example in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

export const push = scenarios('push', {
  key: {
    endpoint: `${PUSH}.getPushKey`,
    heading,
    expects: 'The key of Web Push is a point of P-256, the same for everybody',
    async run({ account }) {
      const [alice, bob] = [await account(), await account()];
      const { publicKey } = await alice.call(`${PUSH}.getPushKey`);
      expectEqual('the bytes of the key to be', Buffer.from(publicKey, 'base64url').length, POINT_BYTES);
      expectEqual('the key to be', (await bob.call(`${PUSH}.getPushKey`)).publicKey, publicKey);
    },
  },
  subscribed: {
    endpoint: `${PUSH}.subscribe`,
    heading,
    expects: 'A subscription is taken, replaced and ended, and ended again without an error',
    async run({ account }) {
      const alice = await account();
      for (const path of ['first', 'second'])
        await alice.call(`${PUSH}.subscribe`, { ...keys, endpoint: `https://push.invalid/${path}` });
      await alice.call(`${PUSH}.unsubscribe`);
      await alice.call(`${PUSH}.unsubscribe`);
    },
  },
  private: {
    endpoint: `${PUSH}.subscribe`,
    heading,
    expects: "An address in the server's own networks, without https, or with a wrong key is refused",
    async run({ account }) {
      const alice = await account();
      const endpoint = 'https://push.invalid/';
      for (const wrong of [
        { ...keys, endpoint: 'https://169.254.169.254/' },
        { ...keys, endpoint: 'http://push.invalid/' },
        { ...keys, endpoint, auth: 'AAAA' },
      ])
        await alice.refused('ILLEGAL_ARGUMENT', `${PUSH}.subscribe`, wrong);
    },
  },
});
