import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { importPack } from '@sealpost/dev-env/packs';
import { admin } from '@sealpost/dev-env/people';
import { opened } from './opened.ts';
import { recordedFetch } from './recorded-fetch.ts';

for (const database of databases) {
  describe(`stickers on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    before(async () => {
      server = await startServer({ database });
      alice = await server.user('alice');
    });
    after(() => server.close());

    test('owned packs are listed, each with pictures that anybody can read', async () => {
      const { stickers } = await opened(server, alice);
      const packs = await stickers.owned('stickers');
      assert.deepEqual(
        packs.map(({ id }) => id),
        ['1', '2'],
      );
      const [{ start = '' } = {}] = packs[1]?.productTypeSummary.stickerSummary?.stickerIdRanges ?? [];
      const [{ productId = '', emojiId = '' } = {}] = await stickers.emoji();
      const urls = [stickers.pictureUrl(start), stickers.animationUrl(start), stickers.emojiUrl(productId, emojiId)];
      for (const url of urls) assert.equal((await fetch(url)).status, 200, url);
      assert.match(stickers.soundUrl(start), /sticker_sound\.m4a$/);
      assert.deepEqual(
        (await stickers.owned('emoji')).map(({ id }) => id),
        [productId],
      );
      assert.equal((await stickers.pack('stickers', '2'))?.id, '2');
      assert.equal(await stickers.pack('stickers', 'none'), undefined);
    });

    test('a text with emoji of packs and a mention arrives with both, and the emoji stand where their names do', async () => {
      const bob = await server.user('bob');
      const client = await opened(server, alice);
      await client.contacts.add(bob.mid);
      await client.synced();
      const [smile, wave] = await client.stickers.textEmoji();
      assert.ok(smile && wave);
      const text = `@${client.replica.nameOf(bob.mid)} ${smile.name} and ${smile.name}`;
      const options = { emoji: [smile, wave], mentions: [bob.mid] };
      const { message } = await client.messaging.sendText(bob.mid, text, options);
      assert.equal(message.text, text + wave.name);
      const { sticon } = JSON.parse(message.contentMetadata.REPLACE ?? '');
      const places: { S: number; E: number; productId: string; sticonId: string }[] = sticon.resources;
      assert.deepEqual(
        places.map(({ S, E, sticonId }) => [message.text?.slice(S, E), sticonId]),
        [smile, smile, wave].map(({ name, emojiId }) => [name, emojiId]),
      );
      assert.deepEqual(JSON.parse(message.contentMetadata.STICON_OWNERSHIP ?? ''), [smile.productId]);
      assert.match(message.contentMetadata.MENTION ?? '', new RegExp(bob.mid));
    });

    test('all pages are read, even if the server makes them smaller', async () => {
      const recorded = recordedFetch(({ path, body }) => {
        if (!path.endsWith('/getOwnedProductSummaries')) return undefined;
        const [, offset] = body as [string, number];
        const productList = [{ id: `pack ${offset}` }];
        return Promise.resolve(Response.json({ code: 0, message: 'OK', data: { productList, offset, totalSize: 3 } }));
      });
      const { stickers } = await opened(server, alice, { fetch: recorded.fetch });
      assert.deepEqual(
        (await stickers.owned('emoji')).map(({ id }) => id),
        ['pack 0', 'pack 1', 'pack 2'],
      );
    });

    test('the text of a pack is tried, saved, and refused with a reason', async () => {
      const pack = { name: 'Names', nameText: { maxCharacters: 5 }, pictures: ['wave'] };
      const { id } = await importPack(server, pack);
      assert.equal((await admin(server, 'POST', `/products/${id}/grant`, { account: alice.userid })).status, 200);
      const { stickers } = await opened(server, alice);
      assert.equal((await stickers.previewText(id, 'Alice')).verdict, 'OK');
      assert.equal((await stickers.previewText(id, 'Alice in Wonderland')).verdict, 'CHARACTER_COUNT_LIMIT_EXCEEDED');
      assert.equal((await stickers.setText(id, 'Alice')).plainText, 'Alice');
      assert.equal((await stickers.setText('1', 'Alice')).verdict, 'PRODUCT_UNSUPPORTED');
      const owned = await stickers.pack('stickers', id);
      assert.equal(owned?.productTypeSummary.stickerSummary?.nameTextProperty?.plainText, 'Alice');
    });
  });
}
