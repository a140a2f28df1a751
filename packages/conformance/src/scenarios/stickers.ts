import {
  contentTypes,
  httpPaths,
  type MethodResult,
  productTypes,
  stickerResourceTypes,
  timelineChannel,
} from '@sealpost/contract';
import { expectError } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { clock } from '../surroundings.ts';
import type { World } from '../world.ts';

const heading = 'Channel token, sticker shop';
const shops = { stickershop: 'stickerSummary', sticonshop: 'sticonSummary' } as const;
type ShopId = keyof typeof shops;
type OwnedProducts = MethodResult<'ShopService.getOwnedProductSummaries'>;

/**
 * Returns all packs of a shop that a person owns. Reads page by page, as clients do, until the list has totalSize
 * packs.
 */
async function owned(person: Person, shopId: ShopId, limit = 1000) {
  const products: OwnedProducts['productList'] = [];
  for (;;) {
    const displayInfo = { language: 'en', country: 'US' };
    const offset: number = products.length;
    const page: OwnedProducts = await person.call(
      'ShopService.getOwnedProductSummaries',
      shopId,
      offset,
      limit,
      displayInfo,
    );
    products.push(...page.productList);
    if (page.productList.length === 0 || products.length >= page.totalSize) return products;
  }
}

const { ANIMATION, ANIMATION_SOUND, SOUND } = stickerResourceTypes;
const isAnimated = (kind: number): boolean => kind === ANIMATION || kind === ANIMATION_SOUND;
const isHeard = (kind: number): boolean => kind === SOUND || kind === ANIMATION_SOUND;

/**
 * Returns the first sticker of a pack that a new account owns and that `isWanted` accepts. Returns undefined if there
 * is none.
 */
async function firstSticker(person: Person, isWanted: (kind: number) => boolean): Promise<string | undefined> {
  const summaries = (await owned(person, 'stickershop')).map((product) => product.productTypeSummary.stickerSummary);
  const found = summaries.find((summary) => summary && isWanted(summary.stickerResourceType));
  return found?.stickerIdRanges?.[0]?.start;
}

async function expectPicture({ raw }: World, path: string, type = 'image/png'): Promise<void> {
  const { status, headers } = await raw.send(path, { verb: 'GET', signature: false });
  expectEqual(`${path} to answer HTTP`, status, 200);
  expectThat(headers['content-type'] === type, `${path} to be ${type}`, headers);
  expectThat(headers.etag !== undefined, `${path} to have an ETag`, headers);
}

function expectNoProduct(method: 'ShopService.setCustomizedImageText' | 'ShopService.previewCustomizedImageText') {
  return async ({ account }: World): Promise<void> => {
    const alice = await account();
    const nameRequestEntry = { text: 'Ann' };
    const request = { productType: productTypes.STICKER, productId: 'no-such-product', nameRequestEntry };
    await alice.refused('SHOP_NOT_FOUND', method, request);
  };
}

const soundOf = (id: string): string => httpPaths.stickerSound.replace('{stickerId}', id);
const animationOf = (id: string): string => httpPaths.stickerAnimation.replace('{stickerId}', id);

export const stickers = scenarios('stickers', {
  owned: {
    endpoint: 'ShopService.getOwnedProductSummaries',
    heading,
    expects: 'The products of each shop come in pages that together hold each once, and are of the kind of the shop',
    async run({ account }) {
      const alice = await account();
      for (const shopId of Object.keys(shops) as ShopId[]) {
        const all = await owned(alice, shopId);
        const ids = all.map(({ id }) => id);
        expectEqual(
          `the pages of ${shopId} to be`,
          (await owned(alice, shopId, 1)).map(({ id }) => id),
          ids,
        );
        const kinds = all.every((product) => product.productTypeSummary[shops[shopId]] !== undefined);
        expectThat(kinds, `a ${shops[shopId]} in each`, all);
      }
      const [method, error] = ['ShopService.getOwnedProductSummaries', 'SHOP_ILLEGAL_ARGUMENT'] as const;
      await alice.refused(error, method, 'no-such-shop', 0, 1000);
    },
  },
  'name-text': {
    endpoint: 'ShopService.setCustomizedImageText',
    heading: 'Errors',
    expects: 'A text for an unknown product is refused as ShopException',
    run: expectNoProduct('ShopService.setCustomizedImageText'),
  },
  'name-text-preview': {
    endpoint: 'ShopService.previewCustomizedImageText',
    heading: 'Errors',
    expects: 'A preview for an unknown product is refused as ShopException',
    run: expectNoProduct('ShopService.previewCustomizedImageText'),
  },
  'sticker-picture': {
    endpoint: 'stickerPicture',
    heading: 'none: an endpoint beyond the specification (compatibility)',
    expects: 'The sticker of an owned pack has a picture, and an id that no sticker has answers HTTP 404',
    async run(world) {
      const id = await firstSticker(await world.account(), (kind) => !isAnimated(kind));
      const pathFor = (stickerId: string) => httpPaths.stickerPicture.replace('{stickerId}', stickerId);
      if (id !== undefined) await expectPicture(world, pathFor(id));
      const absent = await world.raw.send(pathFor('999999999'), { verb: 'GET', signature: false });
      expectError('a sticker that is not there', absent, 'NOT_FOUND_PATH');
    },
  },
  'sticker-animation': {
    endpoint: 'stickerAnimation',
    heading: 'none: an endpoint beyond the specification (compatibility)',
    expects:
      'The sticker of an owned animated pack has a moving picture, and an id that no sticker has answers HTTP 404',
    async run(world) {
      const id = await firstSticker(await world.account(), isAnimated);
      if (id !== undefined) await expectPicture(world, animationOf(id));
      const absent = await world.raw.send(animationOf('999999999'), { verb: 'GET', signature: false });
      expectError('an animation that is not there', absent, 'NOT_FOUND_PATH');
    },
  },
  'sticker-sound': {
    endpoint: 'stickerSound',
    heading: 'none: an endpoint beyond the specification (compatibility)',
    expects: 'The sticker of an owned pack with sounds has one, and an id that no sticker has answers HTTP 404',
    async run(world) {
      const id = await firstSticker(await world.account(), isHeard);
      if (id !== undefined) await expectPicture(world, soundOf(id), 'audio/mp4');
      const absent = await world.raw.send(soundOf('999999999'), { verb: 'GET', signature: false });
      expectError('a sound that is not there', absent, 'NOT_FOUND_PATH');
    },
  },
  'emoji-picture': {
    endpoint: 'sticonPicture',
    heading: 'none: an endpoint beyond the specification (compatibility)',
    expects: 'The emoji that an account owns have pictures',
    async run(world) {
      const alice = await world.account();
      for (const { productId, emojiId } of await alice.call('TalkService.getSticonOwnershipByMid', alice.mid)) {
        const path = httpPaths.sticonPicture.replace('{productId}', productId).replace('{sticonId}', emojiId);
        await expectPicture(world, path);
      }
    },
  },
  'foreign-sticker': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Message',
    expects: 'A sticker that the sender does not own is refused and tells nobody',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const contentMetadata = { STKPKGID: 'no-such-pack', STKID: '1', STKVER: '1' };
      const message = { to: bob.mid, contentType: contentTypes.STICKER, contentMetadata } as const;
      await alice.refused('USER_NOT_STICKER_OWNER', 'TalkService.sendMessage', 2, message);
      expectEqual('nothing told', await bob.log('0'), []);
    },
  },
  'channel-token': {
    endpoint: 'ChannelService.issueChannelToken',
    heading,
    expects: 'The token of the timeline channel has an expiration in the future, in seconds',
    async run({ account }) {
      const alice = await account();
      const { token, expiration } = await alice.call('ChannelService.issueChannelToken', timelineChannel);
      expectThat(token !== '', 'a token', token);
      const now = clock.now() / 1000;
      expectThat(Number(expiration) > now && Number(expiration) < 10 * now, 'seconds in the future', expiration);
    },
  },
  'channel-token-refresh': {
    endpoint: 'ChannelService.refreshChannelToken',
    heading: 'none: an endpoint beyond the specification (extension)',
    expects: 'A channel token is renewed only by its refresh token',
    async run({ account }) {
      const alice = await account();
      const { token, refreshToken } = await alice.call('ChannelService.issueChannelToken', timelineChannel);
      const method = 'ChannelService.refreshChannelToken';
      const renewed = await alice.call(method, timelineChannel, refreshToken);
      expectThat(renewed.token !== token, 'a new token', renewed);
      await alice.refused('CHANNEL_AUTHENTICATION_FAILED', method, timelineChannel, 'junk');
    },
  },
});
