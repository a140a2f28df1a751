// The list of chats: whatever moves, it is in the order in which a new list would be.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { seed } from '@sealpost/dev-env/chance';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { type ChatView, type Client, createClient, memoryStore, type Session, systemPorts } from '@sealpost/sdk';

const mid = (number: number): string => `u${String(number).padStart(32, '0')}`;
const session: Session = {
  mid: mid(0),
  tokens: {
    accessToken: 'a',
    refreshToken: 'r',
    durationUntilRefreshInSec: '100000000',
    tokenIssueTimeEpochSec: '1800000000',
    loginSessionId: 's',
    refreshApiRetryPolicy: { initialDelayInMillis: '1', maxDelayInMillis: '2', multiplier: 1, jitterRate: 0 },
  },
};

let client: Client;
let now = 1;
before(async () => {
  const store = memoryStore();
  await store.session.save(session);
  // Nothing answers there. Drafts alone make and move chats.
  const fetch = () => Promise.reject(new TypeError('no connection'));
  client = createClient({ url: 'http://127.0.0.1:1', store, fetch, clock: { ...systemPorts.clock, now: () => now } });
  await client.open();
});
after(() => client.close());

const sorted = (views: readonly ChatView[]) =>
  views.toSorted((a, b) => b.time - a.time || (a.mid < b.mid ? -1 : 1)).map(({ mid: chat }) => chat);

test('chats come, move and go, also several between two looks, and the list stays in order', async () => {
  const random = createRandom(seed);
  const kept = new Map<string, number>();
  for (let step = 0; step < 400; step++) {
    const chat = mid(random.below(40));
    now = random.below(20);
    if (random.below(4) === 0) {
      kept.delete(chat);
      await client.replica.setDraft(chat, undefined);
    } else {
      kept.set(chat, now);
      await client.replica.setDraft(chat, { text: 'a draft' });
    }
    if (random.below(3) > 0) continue;
    const list = client.replica.chats();
    assert.equal(client.replica.chats(), list);
    assert.deepEqual(new Map(list.map((view) => [view.mid, view.time])), new Map(kept));
    assert.deepEqual(
      list.map((view) => view.mid),
      sorted(list),
    );
  }
});

test('a draft leaves its chat with the text, and stays when anything else is sent', async () => {
  const chat = mid(100);
  const textOf = (): string | undefined => client.replica.chat(chat)?.draft?.text;
  await client.replica.setDraft(chat, { text: 'not yet' });
  await client.messaging.queue({ to: chat, contentType: contentTypes.LOCATION, location: { title: 'here' } });
  await client.messaging.queueFile(chat, { kind: 'file', name: 'a.txt', bytes: new Blob(['a']) });
  assert.equal(textOf(), 'not yet');
  await client.messaging.queueText(chat, 'not yet');
  assert.equal(textOf(), undefined);
});
