import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  contentTypes,
  customizedTextStatus,
  operationTypes,
  productTypes,
  stickerResourceTypes,
} from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type ImportedPack, importPack, pngOf, postPack, zipOf } from '@sealpost/dev-env/packs';
import { admin, bare, failsWith, op, operator } from '@sealpost/dev-env/people';
import { judgeProducts } from '../../../src/slices/stickers/index.ts';

const status = customizedTextStatus;
const sticker = (productId: string, stickerId: string) => ({
  contentType: contentTypes.STICKER,
  contentMetadata: { STKPKGID: productId, STKID: stickerId, STKVER: '1' },
});
const emoji = (...productIds: string[]) => ({
  text: '(smile)',
  contentMetadata: { STICON_OWNERSHIP: JSON.stringify(productIds) },
});

test('messages without stickers and emoji ask the shop for no query', async () => {
  const refuse = () => assert.fail('a query');
  const reader = { one: refuse, all: refuse, each: refuse };
  const caller = { accountId: 1, mid: `u${'0'.repeat(32)}`, sessionId: 1 };
  const message = { to: caller.mid, text: 'hello', contentMetadata: { MENTION: '{}' } };
  assert.deepEqual(await judgeProducts(reader, [{ caller, message }]), [undefined]);
});

for (const database of databases) {
  describe(`shop on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    before(async () => {
      server = await startServer({ database, flags: { 'forbidden-words': 'Rude, ＶＥＲＹ rude' } });
      alice = await server.user('alice');
      bob = await server.user('bob');
    });
    after(() => server.close());

    const add = (pack: object, files: Record<string, Buffer> = {}) => importPack(server, pack, files);
    const grant = (product: ImportedPack, user: TestUser) =>
      operator(server).grantProduct({ product: product.id, account: user.userid });
    const revoke = (product: ImportedPack, account: string) =>
      operator(server).revokeProduct({ product: product.id, account });
    const owned = async (user: TestUser, shopId: string, offset = 0, limit = 1000, language = 'en') =>
      user.client.ShopService.getOwnedProductSummaries(shopId, offset, limit, { language, country: 'US' });
    const idsOf = async (user: TestUser, shopId: string) => (await owned(user, shopId)).productList.map(({ id }) => id);

    test('everyone owns a still pack, an animated pack and twenty emoji', async () => {
      const { productList, offset, totalSize } = await owned(alice, 'stickershop');
      assert.deepEqual([offset, totalSize], [0, 2]);
      assert.deepEqual(
        productList.map(({ id, name, grantedByDefault, productTypeSummary: { stickerSummary } }) => [
          id,
          name,
          grantedByDefault,
          stickerSummary?.stickerResourceType,
          stickerSummary?.stickerIdRanges,
        ]),
        [
          ['1', 'Lettie the Letter', true, 1, [{ start: '1', size: 16 }]],
          ['2', 'Wax the Seal', true, 2, [{ start: '101', size: 8 }]],
        ],
      );
      const [pack] = (await owned(alice, 'sticonshop')).productList;
      assert.equal(JSON.parse(pack?.attributes?.texts ?? '').length, 20);
      const ownership = await alice.client.TalkService.getSticonOwnershipByMid(alice.mid);
      assert.deepEqual(
        ownership.map(({ emojiId }) => emojiId),
        Array.from({ length: 20 }, (_, i) => String(i + 1).padStart(3, '0')),
      );
      const of = async (user: TestUser) => (await user.client.ShopService.getSticonOwnershipByMid(alice.mid))[0];
      assert.deepEqual(await of(alice), ownership[0]);
      assert.notEqual((await of(bob))?.ownershipToken, ownership[0]?.ownershipToken);
    });

    test('products come in pages, under the name of the language of the caller', async () => {
      const second = await owned(alice, 'stickershop', 1, 1, 'ja_JP');
      assert.deepEqual(
        second.productList.map(({ id, name }) => [id, name]),
        [['2', 'あざらしのワックス']],
      );
      assert.deepEqual([second.offset, second.totalSize], [1, 2]);
      assert.deepEqual((await owned(alice, 'stickershop', 2)).productList, []);
      for (const [shopId, offset, limit] of [
        ['themeshop', 0, 1],
        ['constructor', 0, 1],
        ['stickershop', -1, 1],
        ['stickershop', 0, 0],
      ] as const) {
        await assert.rejects(owned(alice, shopId, offset, limit), failsWith('SHOP_ILLEGAL_ARGUMENT'));
      }
    });

    test('a sticker is delivered with the text that the server knows, and animated ones say so', async () => {
      const forged = { ...sticker('1', '3').contentMetadata, STKTXT: 'anything' };
      const sent = await alice.client.send({ to: bob.mid, contentType: contentTypes.STICKER, contentMetadata: forged });
      assert.deepEqual(sent.contentMetadata, { STKPKGID: '1', STKID: '3', STKVER: '1', STKTXT: '[Thank you]' });
      await alice.client.send({ to: bob.mid, ...sticker('2', '101') });
      const [newest] = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
      assert.deepEqual([newest?.contentMetadata.STKTXT, newest?.contentMetadata.STKOPT], ['[Hi!]', 'A']);
    });

    test('a sticker that the sender does not own, or that is of another pack, is refused', async () => {
      const pack = await add({ name: 'Tea', pictures: ['cup', 'pot'] });
      const first = pack.pictures[0]?.id as string;
      const revision = await bob.client.TalkService.getLastOpRevision();
      for (const [productId, stickerId] of [
        [pack.id, first],
        ['1', first],
        ['1', '17'],
        ['1', '0'],
        ['2', '1'],
        ['1', '1.5'],
        ['999', '1'],
        ['sealpost-emoji', '001'],
        ['no such pack', 'x'],
      ] as const) {
        await assert.rejects(
          alice.client.send({ to: bob.mid, ...sticker(productId, stickerId) }),
          failsWith('USER_NOT_STICKER_OWNER'),
          `${productId}/${stickerId}`,
        );
      }
      assert.equal(await bob.client.TalkService.getLastOpRevision(), revision);
      await grant(pack, alice);
      await alice.client.send({ to: bob.mid, ...sticker(pack.id, first) });
      await assert.rejects(
        bob.client.send({ to: alice.mid, ...sticker(pack.id, first) }),
        failsWith('USER_NOT_STICKER_OWNER'),
      );
    });

    test('emoji of a pack that the sender does not own are refused, wherever the message names them', async () => {
      const pack = await add({ name: 'Fruit', kind: 'emoji', pictures: ['pear'] });
      await alice.client.send({ to: bob.mid, ...emoji('sealpost-emoji') });
      const replace = { sticon: { resources: [{ S: 0, E: 7, productId: pack.id, sticonId: '001', version: 1 }] } };
      const foreign = [
        emoji('sealpost-emoji', pack.id),
        emoji('1'),
        emoji('\0'),
        { text: '(pear)', contentMetadata: { REPLACE: JSON.stringify(replace) } },
      ];
      for (const message of foreign) {
        await assert.rejects(alice.client.send({ to: bob.mid, ...message }), failsWith('USER_NOT_STICON_OWNER'));
      }
      for (const contentMetadata of [
        { STICON_OWNERSHIP: 'pear' },
        { STICON_OWNERSHIP: '{}' },
        { STICON_OWNERSHIP: '[1]' },
        { REPLACE: 'null' },
        { REPLACE: '{"sticon":null}' },
        { REPLACE: '{"sticon":{"resources":[null]}}' },
        { STICON_OWNERSHIP: JSON.stringify(Array.from({ length: 21 }, (_, i) => `p${i}`)) },
      ]) {
        await assert.rejects(
          alice.client.send({ to: bob.mid, text: 'x', contentMetadata }),
          failsWith('ILLEGAL_ARGUMENT'),
        );
      }
      await grant(pack, alice);
      for (const message of [foreign[0], foreign[3]]) await alice.client.send({ to: bob.mid, ...message });
    });

    test('messages that wait together are judged one by one', async () => {
      const sends = [sticker('1', '1'), sticker('999', '1'), { text: 'plain' }, emoji('999'), sticker('2', '102')];
      const outcomes = await Promise.allSettled(sends.map((message) => alice.client.send({ to: bob.mid, ...message })));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
    });

    test('a repeated send answers its first result, even if the pack was taken away meanwhile', async () => {
      const pack = await add({ name: 'Gone', pictures: ['ghost'] });
      await grant(pack, alice);
      const message = { to: bob.mid, ...sticker(pack.id, pack.pictures[0]?.id as string) };
      const first = await alice.client.TalkService.sendMessage(4711, message);
      await revoke(pack, alice.mid);
      assert.deepEqual(await alice.client.TalkService.sendMessage(4711, message), first);
      await assert.rejects(alice.client.TalkService.sendMessage(4712, message), failsWith('USER_NOT_STICKER_OWNER'));
    });

    test('giving and taking a pack is told to the sessions of the account, and stands in the audit log', async () => {
      const carol = await server.user('carol');
      const pack = await add({ name: 'Boats', pictures: ['canoe'] });
      await grant(pack, carol);
      assert.deepEqual(await idsOf(carol, 'stickershop'), ['1', '2', pack.id]);
      assert.deepEqual(bare(await carol.log()), [op('NOTIFIED_UPDATE_PURCHASES', 0)]);
      await revoke(pack, carol.userid);
      await assert.rejects(revoke(pack, carol.userid), { status: 404 });
      assert.deepEqual(await idsOf(carol, 'stickershop'), ['1', '2']);
      assert.equal((await carol.log()).length, 2);
      const { entries } = await operator(server).listAudit({ limit: 3 });
      assert.deepEqual(
        entries.map(({ action, subject }) => [action, subject]),
        ['product.revoke', 'product.grant', 'product.import'].map((action) => [action, pack.id]),
      );
    });

    test('a pack for everyone is owned by accounts of before and after', async () => {
      const pack = await add({ name: 'Weather', pictures: ['sun'] });
      await operator(server).grantProduct({ product: pack.id, everyone: true });
      const later = await server.user('later');
      for (const user of [alice, later]) assert.ok((await idsOf(user, 'stickershop')).includes(pack.id));
      await operator(server).revokeProduct({ product: pack.id, everyone: true });
      assert.equal((await idsOf(later, 'stickershop')).includes(pack.id), false);
    });

    describe('text on stickers', () => {
      let pack: ImportedPack;
      const request = (text?: string, productId = pack.id, productType: 1 | 2 | 3 = productTypes.STICKER) => ({
        productType,
        productId,
        nameRequestEntry: text === undefined ? {} : { text },
      });
      before(async () => {
        pack = await add({ name: 'Names', nameText: { maxCharacters: 6 }, pictures: ['wave'] });
        await grant(pack, alice);
      });

      test('every status has its cause, and a look at it saves nothing', async () => {
        const { previewCustomizedImageText: preview, setCustomizedImageText: set } = alice.client.ShopService;
        const revision = await alice.client.TalkService.getLastOpRevision();
        const cases = [
          [request('Anna', '1'), status.PRODUCT_UNSUPPORTED],
          [request('Anna', 'sealpost-emoji', productTypes.STICON), status.PRODUCT_UNSUPPORTED],
          [request(), status.TEXT_NOT_SPECIFIED],
          [request('  '), status.TEXT_NOT_SPECIFIED],
          [request('a\nb'), status.TEXT_STYLE_UNAVAILABLE],
          [request('hi 🦭'), status.TEXT_STYLE_UNAVAILABLE],
          [request('Annabel'), status.CHARACTER_COUNT_LIMIT_EXCEEDED],
          [request('rUdE!'), status.CONTAINS_INVALID_WORD],
          [request('ｒｕｄｅ'), status.CONTAINS_INVALID_WORD],
        ] as const;
        for (const [asked, expected] of cases) {
          for (const call of [preview, set]) {
            const { nameTextProperty } = await call(asked);
            assert.equal(nameTextProperty.status, expected, JSON.stringify(asked));
          }
        }
        assert.deepEqual((await preview(request(' Z̈oé '))).nameTextProperty, {
          status: status.OK,
          plainText: 'Z̈oé',
          nameTextMaxCharacterCount: 6,
        });
        assert.equal(await alice.client.TalkService.getLastOpRevision(), revision);
      });

      test('a saved text is in the list of products, changes the hash, and is told to the other sessions', async () => {
        const summary = async () =>
          (await owned(alice, 'stickershop')).productList.find(({ id }) => id === pack.id)?.productTypeSummary
            .stickerSummary;
        const before = await summary();
        assert.equal(before?.nameTextProperty?.plainText, '');
        await alice.client.ShopService.setCustomizedImageText(request('Anna'));
        const after = await summary();
        assert.equal(after?.nameTextProperty?.plainText, 'Anna');
        assert.notEqual(after?.stickerHash, before?.stickerHash);
        assert.equal((await alice.log()).at(-1)?.type, operationTypes.NOTIFIED_UPDATE_PURCHASES);
        const sent = await alice.client.send({ to: bob.mid, ...sticker(pack.id, pack.pictures[0]?.id as string) });
        assert.equal(sent.contentMetadata.STKTXT, '[wave]');
      });

      test('unknown products, products of another type and products of others are refused', async () => {
        const { setCustomizedImageText: set } = bob.client.ShopService;
        await assert.rejects(set(request('x', '999')), failsWith('SHOP_NOT_FOUND'));
        await assert.rejects(set(request('x', 'sealpost-emoji')), failsWith('SHOP_NOT_FOUND'));
        await assert.rejects(set(request('x', pack.id)), failsWith('SHOP_NOT_OWNED'));
        await assert.rejects(set(request('x', pack.id, productTypes.THEME)), failsWith('SHOP_ILLEGAL_ARGUMENT'));
      });

      test('a text of the owner stands where the alternative text asks for it', async () => {
        const named = await add({
          name: 'Hello',
          nameText: { maxCharacters: 6 },
          pictures: ['hi'],
          texts: ['[Hi from {name}]'],
        });
        await grant(named, alice);
        await alice.client.ShopService.setCustomizedImageText(request('Anna', named.id));
        const sent = await alice.client.send({ to: bob.mid, ...sticker(named.id, named.pictures[0]?.id as string) });
        assert.equal(sent.contentMetadata.STKTXT, '[Hi from Anna]');
      });
    });

    describe('pictures', () => {
      const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });

      test('the pictures of the packs are public, with a tag that saves the second transfer', async () => {
        for (const path of [
          '/stickershop/v1/sticker/1/android/sticker.png',
          '/stickershop/v1/sticker/101/android/sticker.png',
          '/stickershop/v1/sticker/108/android/sticker_animation.png',
          '/sticonshop/v1/sticon/sealpost-emoji/android/020.png',
        ]) {
          const answer = await get(path);
          assert.equal(answer.status, 200, path);
          assert.equal(answer.headers.get('content-type'), 'image/png');
          assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
          const bytes = Buffer.from(await answer.arrayBuffer());
          assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
          assert.equal(bytes.includes('acTL'), path.includes('animation'), path);
          const again = await get(path, { 'If-None-Match': answer.headers.get('etag') as string });
          assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0]);
          const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
          assert.equal(head.headers.get('content-length'), String(bytes.length));
        }
      });

      test('a path that names no picture answers 404', async () => {
        for (const path of [
          '/stickershop/v1/sticker/17/android/sticker.png',
          '/stickershop/v1/sticker/1/android/sticker_animation.png',
          '/stickershop/v1/sticker/1/ios/sticker.png',
          '/stickershop/v1/sticker/%2e%2e/android/sticker.png',
          '/sticonshop/v1/sticon/sealpost-emoji/android/021.png',
          '/sticonshop/v1/sticon/sealpost-emoji/android/..%2f001.png',
          '/sticonshop/v1/sticon/constructor/android/001.png',
        ]) {
          assert.equal((await get(path)).status, 404, path);
        }
        const posted = await fetch(`${server.url}/stickershop/v1/sticker/1/android/sticker.png`, { method: 'POST' });
        assert.equal(posted.status, 405);
      });

      test('imported pictures are served without what their file says besides, and stay over a restart', async () => {
        const commented = pngOf('secret', { comment: 'taken at home' });
        const stickers = await add({ name: 'Kept', pictures: ['one'] }, { 'one.png': commented });
        const emojis = await add({ name: 'Kept too', kind: 'emoji', pictures: ['two'] });
        const paths = [
          `/stickershop/v1/sticker/${stickers.pictures[0]?.id}/android/sticker.png`,
          `/sticonshop/v1/sticon/${emojis.id}/android/001.png`,
        ];
        await server.restart();
        for (const path of paths) {
          const bytes = Buffer.from(await (await get(path)).arrayBuffer());
          assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
          assert.equal(bytes.includes('taken at home'), false);
        }
        assert.ok(commented.includes('taken at home'));
      });
    });

    describe('import', () => {
      const refused = async (zip: Buffer, detail: RegExp, expected = 400) => {
        const response = await postPack(server, zip);
        const problem = (await response.json()) as { detail: string };
        assert.equal(response.status, expected, problem.detail);
        assert.match(problem.detail, detail);
      };
      const m4a = Buffer.concat([Buffer.from('0000001c', 'hex'), Buffer.from('ftypM4A \0\0\0\0M4A mp42isom')]);
      const pack = { name: 'Bad', author: 'Nobody', kind: 'stickers', pictures: [{ file: 'a.png', text: '' }] };
      const zip = (files: Record<string, Buffer>, described: object = pack) =>
        zipOf({ 'pack.json': Buffer.from(JSON.stringify(described)), ...files });

      test('a pack with a fault is refused with what is wrong, and nothing is stored', async () => {
        const count = async () => (await operator(server).listProducts()).products.length;
        const before = await count();
        const png = pngOf('a');
        await refused(Buffer.from('no zip'), /not a usable zip/);
        await refused(await zipOf({ 'a.png': png }), /no pack\.json/);
        await refused(await zipOf({ 'pack.json': Buffer.from('{') }), /not JSON/);
        await refused(await zip({}), /a\.png is named in pack\.json and not there/);
        await refused(await zip({ 'a.png': Buffer.from('<svg/>') }), /not a PNG/);
        await refused(await zip({ 'a.png': png.subarray(0, -1) }), /not a PNG/);
        await refused(
          await zip({ 'a.png': Buffer.concat([png.subarray(0, 40), Buffer.from([1]), png.subarray(41)]) }),
          /not a PNG/,
        );
        await refused(await zip({ 'a.png': pngOf('a', { width: 2000 }) }), /2000 x 1 pixels/);
        await refused(await zip({ 'a.png': Buffer.concat([png, Buffer.alloc(2 ** 20)]) }), /at most 1048576/);
        await refused(await zip({ 'a.png': png }, { ...pack, kind: 'songs' }), /kind/);
        await refused(await zip({ 'a.png': png }, { ...pack, extra: 1 }), /pack\.json/);
        for (const name of ['a\0b', '\ud800'])
          await refused(await zip({ 'a.png': png }, { ...pack, name }), /pack\.json\.name holds NUL/);
        const latin1 = Buffer.from(JSON.stringify({ ...pack, name: 'caf\u00e9' }), 'latin1');
        await refused(await zipOf({ 'pack.json': latin1, 'a.png': png }), /not JSON/);
        await refused(
          await zip({ 'a.png': png }, { ...pack, kind: 'emoji', nameText: { maxCharacters: 3 } }),
          /nameText/,
        );
        await refused(await zip({}, { ...pack, pictures: [{ file: '../a.png', text: '' }] }), /pictures/);
        const mixed = { ...pack, pictures: [...pack.pictures, { file: 'b.png', text: '' }] };
        await refused(
          await zip({ 'a.png': png, 'b.png': pngOf('b', { animated: true }) }, mixed),
          /1 of 2 pictures are animated/,
        );
        await refused(Buffer.from('{}'), /not a usable zip/);
        const twice = [...pack.pictures, ...pack.pictures];
        await refused(await zip({ 'a.png': png }, { ...pack, pictures: twice }), /a\.png is named twice in pack\.json/);
        const double = await zip({ 'a.png': png, 'b.png': pngOf('b') });
        const same = Buffer.from(double.toString('latin1').replaceAll('b.png', 'a.png'), 'latin1');
        await refused(same, /the zip has a\.png twice/);
        const heard = { ...pack, pictures: [{ file: 'a.png', sound: 'a.m4a', text: '' }] };
        await refused(await zip({ 'a.png': png }, heard), /a\.m4a is named in pack\.json and not there/);
        await refused(await zip({ 'a.png': png, 'a.m4a': Buffer.from('RIFF of a wave') }, heard), /not an M4A sound/);
        const silent = { ...pack, pictures: [...heard.pictures, { file: 'b.png', text: '' }] };
        const files = { 'a.png': png, 'b.png': pngOf('b'), 'a.m4a': m4a };
        await refused(await zip(files, silent), /1 of 2 pictures have a sound/);
        await refused(await zip(files, { ...heard, kind: 'emoji' }), /only stickers have sounds/);
        await refused(await zip(files, { ...heard, nameText: { maxCharacters: 3 } }), /nameText/);
        assert.equal(await count(), before);
      });

      test('packs with sounds say so, and serve them beside the pictures', async () => {
        for (const [animated, kind] of [
          [false, stickerResourceTypes.SOUND],
          [true, stickerResourceTypes.ANIMATION_SOUND],
        ] as const) {
          const described = {
            ...pack,
            name: `Heard ${kind}`,
            pictures: [{ file: 'a.png', sound: 'a.m4a', text: 'hm' }],
          };
          const made = await postPack(
            server,
            await zip({ 'a.png': pngOf(`heard ${kind}`, { animated }), 'a.m4a': m4a }, described),
            '?everyone=true',
          );
          assert.equal(made.status, 201);
          const product = (await made.json()) as ImportedPack;
          const { productList } = await owned(await server.user('listener'), 'stickershop');
          const found = productList.find(({ id }) => id === product.id);
          assert.equal(found?.productTypeSummary.stickerSummary?.stickerResourceType, kind);
          const sound = await fetch(
            `${server.url}/stickershop/v1/sticker/${product.pictures[0]?.id}/android/sticker_sound.m4a`,
          );
          assert.deepEqual([sound.status, sound.headers.get('content-type')], [200, 'audio/mp4']);
          assert.ok(m4a.equals(Buffer.from(await sound.arrayBuffer())));
        }
        const still = await fetch(`${server.url}/stickershop/v1/sticker/1/android/sticker_sound.m4a`);
        assert.equal(still.status, 404);
      });

      test('a zip that names places outside of itself is refused', async () => {
        const good = await zip({ 'a.png': pngOf('a'), 'xx_a.png': pngOf('x') });
        const evil = Buffer.from(good.toString('latin1').replaceAll('xx_a.png', '../a.png'), 'latin1');
        await refused(evil, /not a usable zip/);
      });

      test('a zip that unpacks to more than it says is refused', async () => {
        const good = await zip({ 'a.png': Buffer.concat([pngOf('a'), Buffer.alloc(100_000)]) });
        const at = good.lastIndexOf('a.png') - 46 + 24;
        const lying = Buffer.from(good);
        lying.writeUInt32LE(10, at);
        await refused(lying, /not a usable zip/);
      });

      test('the same pack a second time is a conflict that names the first', async () => {
        const first = await add({ name: 'Twice', pictures: ['one'] });
        await refused(first.zip, new RegExp(`as product ${first.id}`), 409);
      });

      test('simultaneous imports of one pack create one product', async () => {
        const bytes = await zip({ 'a.png': pngOf('race') }, { ...pack, name: 'Race' });
        const answers = await Promise.all([1, 2, 3, 4].map(() => postPack(server, bytes)));
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
      });

      test('a folder inside of the zip is the pack, and clutter is not looked at', async () => {
        const inside = {
          'tea/pack.json': Buffer.from(JSON.stringify({ ...pack, name: 'Inside' })),
          'tea/a.png': pngOf('in'),
        };
        const response = await postPack(
          server,
          await zipOf({ ...inside, '__MACOSX/tea/._a.png': Buffer.from('x'), 'tea/notes.txt': Buffer.from('x') }),
          '?everyone=true',
        );
        const made = (await response.json()) as { everyone: boolean; name: string };
        assert.deepEqual([response.status, made.everyone, made.name], [201, true, 'Inside']);
      });

      test('a zip with two packs is refused', async () => {
        const json = Buffer.from(JSON.stringify({ ...pack, name: 'One of two' }));
        const both = { 'tea/pack.json': json, 'tea/a.png': pngOf('t'), 'cup/pack.json': json, 'cup/a.png': pngOf('c') };
        await refused(await zipOf(both), /tea\/pack.json and cup\/pack.json; put each pack into its own zip/);
      });

      test('grants of the wrong form, to nobody, or of nothing are refused', async () => {
        for (const [path, body, expected] of [
          ['/products/1/grant', {}, 400],
          ['/products/1/grant', { everyone: true, account: 'x' }, 400],
          ['/products/1/grant', { account: 'nobody-here' }, 404],
          ['/products/nothing/grant', { everyone: true }, 404],
          ['/products/a%00/grant', { everyone: true }, 404],
        ] as const) {
          assert.equal((await admin(server, 'POST', path, body)).status, expected, path);
        }
        assert.equal((await admin(server, 'POST', '/products', {})).status, 415);
        assert.equal((await admin(server, 'GET', '/products/nothing')).status, 404);
        assert.equal((await admin(server, 'GET', '/products/%00')).status, 404);
      });
    });
  });
}
