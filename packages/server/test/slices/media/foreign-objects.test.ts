// A client cannot tell a foreign object from an absent one, not even by the response time, because the server runs the
// same statements for both names. Most of them also find the same number of rows.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { contentTypes, timelineChannel } from '@sealpost/contract';
import { countedStatements, statementsOf } from '@sealpost/dev-env/counted-statements';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type HeaderMap, objectClient, talkMeta } from '@sealpost/dev-env/object-client';
import { pngOf } from '@sealpost/dev-env/packs';
import { noRegularWork } from '../../no-regular-work.ts';

let server: TestServer;
let stranger: TestUser;
let objects: ReturnType<typeof objectClient>;
let channelToken: string;
/**
 * Names, each list with a foreign and an absent one. `plain` and `sealed`: messages with such an object. `named`:
 * sealed objects. `covers`: pictures for homes.
 */
const plain: string[] = [];
const sealed: string[] = [];
const named: string[] = [];
const covers: string[] = [];
let own: string;
let reqSeq = 0;

before(async () => {
  server = await startServer({ database: 'sqlite', servers: 1, ports: { timers: noRegularWork } });
  objects = objectClient(server);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  stranger = await server.user('stranger');
  const { token } = await alice.client.ChannelService.issueChannelToken(timelineChannel);
  channelToken = (await stranger.client.ChannelService.issueChannelToken(timelineChannel)).token;
  const oidOf = async (path: string, body: Buffer | string, headers: HeaderMap = {}) => {
    const answer = await objects.post(alice, `${path}/reqid-${randomUUID()}`, body, headers);
    return answer.headers.get('x-obs-oid') ?? assert.fail(`nothing was uploaded to ${path}: ${answer.status}`);
  };
  const send = async (from: TestUser, to: string, contentMetadata = {}) => {
    const message = { to, contentType: contentTypes.IMAGE, contentMetadata };
    return (await from.client.TalkService.sendMessage(++reqSeq, message)).id;
  };
  plain.push(await send(alice, bob.mid));
  await objects.post(alice, `/r/talk/m/${plain[0]}`, 'of a message');
  named.push(await oidOf('/r/talk/emi', 'sealed bytes'));
  sealed.push(await send(alice, bob.mid, { OID: named[0] }));
  covers.push(await oidOf('/r/myhome/c', pngOf('home'), { 'X-Svc-ChannelToken': token }));
  own = await send(stranger, stranger.mid);
  plain.push(String(Number(sealed[0]) + 1_000_000));
  sealed.push(String(Number(sealed[0]) + 2_000_000));
  named.push(randomBytes(24).toString('base64url'));
  covers.push(randomBytes(24).toString('base64url'));
});
after(async () => {
  await server?.close();
});

type Ask = (name: string) => Promise<unknown>;

async function requireAlike(
  [foreign = '', absent = '']: readonly string[],
  ask: Ask,
  count: (work: () => Promise<unknown>) => Promise<readonly unknown[]> = countedStatements,
): Promise<void> {
  // The first requests fill the server's caches, so that the counted requests find the same caches.
  await ask(foreign);
  await ask(absent);
  const asked = await count(() => ask(foreign));
  assert.deepEqual(asked, await count(() => ask(absent)));
  assert.ok(asked.length > 0);
}
const refused = async (answer: ReturnType<typeof objects.get>) => assert.equal((await answer).status, 404);

for (const ending of [
  '',
  '/preview',
  '__ud-preview',
  '/info.obs',
  '/playback.obs?modelName=x&networkType=WiFi&lang=en',
]) {
  test(`GET of a plain object${ending}`, () =>
    requireAlike(plain, (id) => refused(objects.get(stranger, `/r/talk/m/${id}${ending}`))));
  test(`GET of a sealed object${ending}, by its message`, () =>
    requireAlike(sealed, (id) =>
      refused(objects.get(stranger, `/r/talk/emi/${named[0]}${ending}`, { 'X-Talk-Meta': talkMeta(id) })),
    ));
  test(`GET of a sealed object${ending}, by its name`, () =>
    requireAlike(named, (oid) =>
      refused(objects.get(stranger, `/r/talk/emi/${oid}${ending}`, { 'X-Talk-Meta': talkMeta(own) })),
    ));
}

test('HEAD of a plain object', () =>
  requireAlike(plain, (id) => refused(objects.send('HEAD', `/r/talk/m/${id}`, stranger))));

test('POST to a plain object', () =>
  requireAlike(plain, (id) => refused(objects.post(stranger, `/r/talk/m/${id}`, 'foreign'))));

test('POST to a sealed object', () =>
  requireAlike(named, (oid) => refused(objects.post(stranger, `/r/talk/emi/${oid}`, 'foreign'))));

test('GET of a picture that is not a cover', () =>
  requireAlike(
    covers,
    (oid) =>
      refused(
        objects.send('GET', `/r/myhome/c/${oid}`, undefined, { headers: { 'X-Svc-ChannelToken': channelToken } }),
      ),
    statementsOf,
  ));

for (const [what, names] of [
  ['plain', plain],
  ['sealed', named],
] as const) {
  test(`a message that hands on a ${what} object`, () =>
    requireAlike(
      names,
      async (OID) => {
        const message = { to: stranger.mid, contentType: contentTypes.IMAGE, contentMetadata: { OID } };
        assert.equal((await stranger.client.TalkService.sendMessage(++reqSeq, message)).hasContent, false);
      },
      statementsOf,
    ));
}
