// The replica: whatever happened, and however the client was interrupted, it ends in the state that a fresh client reads.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chatTypes, contactSettings, profileAttributes, settingsAttributes } from '@sealpost/contract';
import { seed } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { until } from '@sealpost/dev-env/until';
import { createRandom, type Random } from '@sealpost/dev-env/workload/random';
import { type Client, type ClientStore, createClient, GatewayError, memoryStore, type RpcClient } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { loseTheLog } from './lost-log.ts';
import { shown } from './replica-shown.ts';

const HISTORIES = 4;
const STEPS = 80;

/** A client of a user on a store, which a second client may use after the first. */
async function clientOf(url: string, user: TestUser, store: ClientStore): Promise<Client> {
  const { session } = await user.session();
  assert.ok(session);
  await store.session.save(session);
  return opened(url, store);
}

async function opened(url: string, store: ClientStore): Promise<Client> {
  const client = createClient({ url, store, timers: hurriedTimers(20) });
  await client.open();
  return client;
}

class Histories {
  readonly #random: Random;
  readonly #people: readonly RpcClient[];
  readonly #mids: readonly string[];
  readonly chats: string[] = [];
  readonly messages: string[] = [];

  constructor(random: Random, people: readonly RpcClient[]) {
    this.#random = random;
    this.#people = people;
    this.#mids = people.map(({ session }) => session?.mid ?? '');
  }

  /** Makes one random change. A change that the server refuses is one too. */
  async step(): Promise<void> {
    const person = this.#random.pick(this.#people);
    const actions = [
      this.#send,
      this.#send,
      this.#send,
      this.#ofMessage,
      this.#ofChat,
      this.#ofMembers,
      this.#ofContact,
      this.#ofSelf,
    ];
    try {
      await this.#random.pick(actions).call(this, person);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.http >= 500) throw error;
    }
  }

  #target(): string {
    return this.#random.pick([...this.#mids, ...this.chats]);
  }

  async #send(person: RpcClient): Promise<void> {
    const { id } = await person.sendText(this.#target(), `text ${this.#random.below(1000)}`);
    this.messages.push(id);
  }

  async #ofMessage({ TalkService, nextReqSeq }: RpcClient): Promise<void> {
    const id = this.#random.pick(this.messages);
    const reqSeq = nextReqSeq();
    switch (this.#random.below(4)) {
      case 0:
        return void (await TalkService.unsendMessage(reqSeq, id));
      case 1:
        return void (await TalkService.cancelReaction({ reqSeq, messageId: id }));
      default:
        return void (await TalkService.react({ reqSeq, messageId: id, reactionType: { predefinedReactionType: 3 } }));
    }
  }

  async #ofChat({ TalkService, nextReqSeq }: RpcClient): Promise<void> {
    const chat = this.#target();
    const id = this.#random.pick(this.messages);
    const reqSeq = nextReqSeq();
    switch (this.#random.below(7)) {
      case 0:
        return void (await TalkService.sendChatRemoved(reqSeq, chat, this.#random.pick([id, '0'])));
      case 1:
        return void (await TalkService.setChatHiddenStatus({ reqSeq, chatMid: chat, hidden: true }));
      case 2:
        return void (await TalkService.setChatHiddenStatus({ reqSeq, chatMid: chat, hidden: false }));
      case 3:
        return void (await TalkService.updateChat({
          reqSeq,
          chat: { chatMid: chat, chatName: `name ${reqSeq}` },
          updatedAttribute: 1,
        }));
      case 4:
        return void (await TalkService.updateChat({
          reqSeq,
          chat: { chatMid: chat, notificationDisabled: true },
          updatedAttribute: 8,
        }));
      default:
        return void (await TalkService.sendChatChecked(reqSeq, chat, id));
    }
  }

  async #ofMembers({ TalkService, nextReqSeq }: RpcClient): Promise<void> {
    const reqSeq = nextReqSeq();
    const chatMid = this.chats.length > 0 ? this.#random.pick(this.chats) : '';
    const targetUserMids = [this.#random.pick(this.#mids)];
    switch (this.#random.below(chatMid === '' ? 2 : 9)) {
      case 0:
      case 1: {
        const type = this.#random.pick([chatTypes.GROUP, chatTypes.ROOM]);
        const { chat } = await TalkService.createChat({ reqSeq, type, name: 'made', targetUserMids });
        this.chats.push(chat.chatMid);
        return;
      }
      case 2:
        return void (await TalkService.deleteSelfFromChat({
          reqSeq,
          chatMid,
          lastSeenMessageDeliveredTime: '0',
          lastSeenMessageId: '0',
          lastMessageDeliveredTime: '0',
          lastMessageId: '0',
        }));
      case 3:
        return void (await TalkService.deleteOtherFromChat({ reqSeq, chatMid, targetUserMids }));
      case 4:
        return void (await TalkService.rejectChatInvitation({ reqSeq, chatMid }));
      case 5:
        return void (await TalkService.cancelChatInvitation({ reqSeq, chatMid, targetUserMids }));
      case 6:
        return void (await TalkService.inviteIntoChat({ reqSeq, chatMid, targetUserMids }));
      default:
        return void (await TalkService.acceptChatInvitation({ reqSeq, chatMid }));
    }
  }

  async #ofContact({ TalkService, nextReqSeq }: RpcClient): Promise<void> {
    const mid = this.#random.pick(this.#mids);
    const reqSeq = nextReqSeq();
    switch (this.#random.below(6)) {
      case 0:
        return void (await TalkService.blockContact(reqSeq, mid));
      case 1:
        return void (await TalkService.unblockContact(reqSeq, mid, ''));
      case 2:
        return void (await TalkService.updateContactSetting(
          reqSeq,
          mid,
          contactSettings.CONTACT_SETTING_DELETE,
          'true',
        ));
      case 3: {
        const flag = contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE;
        return void (await TalkService.updateContactSetting(reqSeq, mid, flag, `called ${reqSeq}`));
      }
      default:
        return void (await TalkService.findAndAddContactsByMid(reqSeq, 0, [mid]));
    }
  }

  async #ofSelf({ TalkService, nextReqSeq }: RpcClient): Promise<void> {
    const reqSeq = nextReqSeq();
    if (this.#random.below(2) === 0) {
      const value = `name ${this.#random.below(1000)}`;
      return void (await TalkService.updateProfileAttributes(reqSeq, {
        profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value } },
      }));
    }
    const notificationEnable = this.#random.below(2) === 0;
    await TalkService.updateSettingsAttributes2(reqSeq, [settingsAttributes.NOTIFICATION_ENABLE], {
      notificationEnable,
    });
  }
}

for (const database of databases) {
  describe(`the replica on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    test('messages that stayed sealed open when this device gets the keys', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const first = memoryStore();
      const anns = await clientOf(server.url, ann, first);
      await anns.synced();
      const bens = await clientOf(server.url, ben, memoryStore());
      await bens.synced();
      await bens.messaging.sendText(ann.mid, 'for the keys of Ann');
      const second = memoryStore();
      const other = await clientOf(server.url, ann, second);
      await other.synced();
      const states = async () => [
        (await other.replica.messages(ben.mid))[0]?.sealing.state,
        other.replica.chat(ben.mid)?.last?.sealing.state,
      ];
      assert.deepEqual(await states(), ['unopened', 'unopened']);
      await second.keyStore.addOwnKeys(ann.mid, await first.keyStore.ownKeys(ann.mid));
      await other.openAgain();
      await other.synced();
      assert.deepEqual(await states(), ['opened', 'opened']);
      for (const client of [anns, bens, other]) await client.close();
    });

    test('an answer from before a message does not take the message back', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const store = memoryStore();
      await store.session.save((await ann.session()).session);
      let late: (() => Promise<void>) | undefined;
      const client = createClient({
        url: server.url,
        store,
        async fetch(input, init) {
          const answer = await fetch(input, init);
          if (String(input).endsWith('/getMessageBoxesByIds')) await late?.();
          return answer;
        },
      });
      await client.open();
      await ben.client.sendText(ann.mid, 'first');
      await client.synced();
      late = async () => {
        late = undefined;
        const { id } = await ben.client.sendText(ann.mid, 'second');
        await until(() => client.replica.chat(ben.mid)?.last?.id === id, 'the second message is applied');
      };
      // The client reads the box again, and the second message comes before the answer.
      await ann.client.TalkService.setChatHiddenStatus({ reqSeq: 77, chatMid: ben.mid, hidden: true });
      await until(() => late === undefined, 'the box was asked for');
      await client.synced();
      assert.equal(client.replica.chat(ben.mid)?.unread, 2);
      assert.equal(client.replica.chat(ben.mid)?.last?.text, 'second');
      await client.close();
    });

    test('how far others have read is the newer of what the server and this device know', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const store = memoryStore();
      const first = await clientOf(server.url, ann, store);
      const bens = await ben.session();
      const read = async (text: string): Promise<string> => {
        const { id } = await ann.client.sendText(ben.mid, text);
        await bens.TalkService.sendChatChecked(bens.nextReqSeq(), ann.mid, id);
        return id;
      };
      const one = await read('one');
      await first.synced();
      assert.deepEqual(await first.replica.readers(ben.mid), { [ben.mid]: one });
      await first.close();
      // Without the stream, this device does not hear of the second mark.
      const deaf: typeof fetch = (input, init) =>
        /receive/.test(String(input)) ? Promise.reject(new TypeError('no stream')) : fetch(input, init);
      const client = createClient({ url: server.url, store, fetch: deaf });
      await client.open();
      const two = await read('two');
      assert.deepEqual((await client.messaging.readers(ben.mid))[ben.mid], two);
      assert.deepEqual(await client.replica.readers(ben.mid), { [ben.mid]: one });
      await client.close();
    });

    test('a group without a name has the new name of somebody who is only invited', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const client = await clientOf(server.url, ann, memoryStore());
      await client.synced();
      await client.contacts.add(ben.mid);
      const mid = await client.chats.createGroup({ members: [ben.mid] });
      await client.synced();
      assert.deepEqual([client.replica.chat(mid)?.members, client.replica.chat(mid)?.name], [[ann.mid], 'ben']);
      await client.contacts.rename(ben.mid, 'Benedict');
      await client.synced();
      assert.equal(client.replica.chat(mid)?.name, 'Benedict');
      await client.close();
    });

    test('a session that ends while everything is read is reported', async () => {
      const ann = await server.user('ann');
      const store = memoryStore();
      const { session, ...other } = await ann.session();
      await store.session.save(session);
      let logsOut = true;
      const ending: typeof fetch = async (input, init) => {
        if (logsOut && String(input).endsWith('/getAllChatMids')) {
          logsOut = false;
          await other.logout();
        }
        return fetch(input, init);
      };
      const client = createClient({ url: server.url, store, fetch: ending, timers: hurriedTimers(20) });
      const states: string[] = [];
      client.onConnection(({ state }) => states.push(state));
      await client.open();
      await until(() => states.includes('logged_out'), 'the end of the session is reported');
      assert.deepEqual(states.filter((state) => state === 'logged_out').length, 1);
      assert.equal(client.session, undefined);
      await client.close();
    });

    for (const again of ['this client writes', 'the other writes'] as const)
      test(`a chat whose history was removed is known as read when ${again} again`, async () => {
        const [ann, ben] = [await server.user('ann'), await server.user('ben')];
        const client = await clientOf(server.url, ann, memoryStore());
        const { id } = await ben.client.sendText(ann.mid, 'read and removed');
        await client.synced();
        await client.messaging.markRead(ben.mid, id);
        await client.messaging.removeHistory(ben.mid, id);
        await client.synced();
        assert.equal(client.replica.chat(ben.mid), undefined);
        if (again === 'this client writes') await client.messaging.sendText(ben.mid, 'again');
        else await ben.client.sendText(ann.mid, 'again');
        await until(() => client.replica.chat(ben.mid)?.last?.text === 'again', 'the message is applied');
        await client.synced();
        assert.equal(client.replica.chat(ben.mid)?.seenId, id);
        await client.close();
      });

    for (let history = 0; history < HISTORIES; history++) {
      test(`after a random history it is what a fresh client reads (${history})`, async () => {
        const random = createRandom(seed + history);
        const users = [await server.user('ann'), await server.user('ben'), await server.user('cid')] as const;
        const [ann] = users;
        const histories = new Histories(random, [...users.map(({ client }) => client), await ann.session()]);
        for (let n = 0; n < 3; n++)
          await ann.client.sendText(users[1].mid, `first ${n}`).then(({ id }) => histories.messages.push(id));
        const folder = mkdtempSync(join(tmpdir(), 'sealpost-replica-'));
        const store = history % 2 === 0 ? memoryStore() : folderStore(folder);
        const proxy = await cuttingProxy(server.url);
        let client = await clientOf(proxy.url, ann, store);
        for (let step = 0; step < STEPS; step++) {
          await histories.step();
          if (random.oneIn(10)) proxy.cutAfter('answers', random.below(4000));
          if (!random.oneIn(20)) continue;
          // The client ends at any point, and continues on its store.
          await client.close();
          if (random.oneIn(2)) await histories.step();
          if (random.oneIn(4)) await loseTheLog(ann, store);
          client = await opened(proxy.url, store);
        }
        proxy.cutAfter('answers', Number.POSITIVE_INFINITY);
        await client.synced();
        const fresh = await clientOf(server.url, ann, memoryStore());
        await fresh.synced();
        try {
          assert.deepEqual(await shown(client), await shown(fresh));
        } finally {
          await fresh.close();
          await client.close();
          await proxy.close();
          rmSync(folder, { recursive: true });
        }
      });
    }
  });
}
