// The program of a page in a test: two people with local state in IndexedDB talk, one of them in two lives of the page.
import { browserStore, type Client, createClient, NetworkError, type StoredMessage, StoreError } from '../src/index.ts';

const { url, ann, ben } = JSON.parse(document.getElementById('given')?.textContent ?? '{}');

const MESSAGES = 20;

/** Tells the test what happened, and which turn of the page this was. */
const tell = (what: unknown): Promise<Response> => fetch('/told', { method: 'POST', body: JSON.stringify(what) });

async function first(): Promise<void> {
  const anns = createClient({ url, store: browserStore('ann') });
  await anns.login({ identifier: ann.userid, password: ann.password });
  const bens = createClient({ url, store: browserStore('ben') });
  const { mid } = await bens.login({ identifier: ben.userid, password: ben.password });
  await bens.synced();
  const { sealed } = await anns.messaging.sendText(mid, 'hello from a page');
  await bens.synced();
  const [received] = await bens.replica.messages(anns.session?.mid ?? '');
  const second = createClient({ url, store: browserStore('ann') });
  const refused = await second.open().catch((error) => error instanceof StoreError && error.kind);
  // Stored without a connection, and sent in the next life of the page.
  const offline = createClient({
    url,
    store: browserStore('ben'),
    fetch: () => Promise.reject(new TypeError('offline')),
  });
  await bens.close();
  await offline.open();
  await offline.messaging.queueText(anns.session?.mid ?? '', 'written without a connection');
  const unread = offline.replica.chats().map((chat) => chat.unread);
  await tell({ sealed, text: received?.text, state: received?.sealing.state, refused, unread });
  location.assign('/again');
}

async function again(): Promise<void> {
  const bens = createClient({ url, store: browserStore('ben') });
  await bens.open();
  const kept = bens.replica.chats().map(({ name, last }) => [name, last?.text]);
  while (bens.outbox.all().length > 0) await new Promise((resolve) => bens.replica.onChange(resolve));
  const anns = createClient({ url, store: browserStore('ann') });
  await anns.open();
  await anns.synced();
  const [answer] = await anns.replica.messages(bens.session?.mid ?? '');
  const raw = await rowsOf(`ann-${anns.session?.mid}`);
  await anns.logout();
  const left = (await indexedDB.databases()).map(({ name }) => name).filter((name) => name?.startsWith('ann-u'));
  const deleted = await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase('ann-keys');
    request.onsuccess = () => resolve(true);
    request.onblocked = () => resolve(false);
  });
  await tell({
    kept,
    answer: answer?.text,
    readable: raw.includes('hello from a page'),
    rows: raw.length > 0,
    left,
    deleted,
  });
}

/** Two people write to each other, while the test cuts their connections. */
async function cut(): Promise<void> {
  const people = [];
  for (const [name, { userid, password }] of Object.entries({ ann, ben })) {
    const client = createClient({ url, store: browserStore(`cut-${name}`) });
    await client.login({ identifier: userid, password });
    await client.synced();
    people.push(client);
  }
  const [anns, bens] = people as [Client, Client];
  const mids = people.map(({ session }) => session?.mid ?? '');
  for (let number = 0; number < MESSAGES; number++) {
    for (const [index, client] of people.entries()) {
      await client.messaging.queueText(mids[1 - index] ?? '', String(number));
      await tell({ queued: number + 1 });
    }
  }
  for (const { outbox, replica } of people) {
    while (outbox.all().length > 0) await new Promise((resolve) => replica.onChange(resolve));
  }
  // The last cut may come only now. Then the call is made again, and so is one whose message could not get its keys.
  const from = async (reader: Client, chatMid: string): Promise<unknown[]> => {
    for (;;) {
      const messages = await read(reader, chatMid).catch((error: unknown) => {
        if (!(error instanceof NetworkError)) throw error;
      });
      if (!messages || messages.some(waitsForServer)) continue;
      return messages
        .filter((message) => message.from === chatMid)
        .map(({ text, sealing }) => text ?? sealing)
        .reverse();
    }
  };
  const left = people.reduce((sum, { outbox }) => sum + outbox.all().length, 0);
  await tell({ anns: await from(bens, mids[0] ?? ''), bens: await from(anns, mids[1] ?? ''), left });
}

async function read(reader: Client, chatMid: string): Promise<StoredMessage[]> {
  await reader.synced();
  return reader.replica.messages(chatMid, { limit: 100 });
}

const waitsForServer = ({ sealing }: StoredMessage): boolean =>
  sealing.state === 'unopened' && sealing.waitsFor === 'server';

/** Returns everything that a database holds, as text. */
function rowsOf(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = opening.result.transaction('rows').objectStore('rows').getAll();
      request.onsuccess = () => {
        opening.result.close();
        resolve(
          request.result.map((value: Uint8Array | string) => new TextDecoder('latin1').decode(bytesOf(value))).join(),
        );
      };
    };
  });
}

const bytesOf = (value: Uint8Array | string) => (typeof value === 'string' ? new TextEncoder().encode(value) : value);

const turns: Readonly<Record<string, () => Promise<void>>> = { '/again': again, '/cut': cut };
(turns[location.pathname] ?? first)().catch((error) => tell({ failed: String(error?.stack ?? error) }));
