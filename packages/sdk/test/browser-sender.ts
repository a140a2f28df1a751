// The program of a page that queues numbered messages, for tests that kill its browser. Each number is the cause of its
// message, so a number that is queued again after a kill is not sent twice.
import { browserStore, createClient } from '../src/index.ts';

interface Plan {
  readonly url: string;
  readonly userid: string;
  readonly password: string;
  readonly chats: readonly string[];
  readonly first: number;
  readonly most: number;
}

const tell = (what: unknown): Promise<Response> => fetch('/told', { method: 'POST', body: JSON.stringify(what) });

/** The event of a new database, as Chromium sends it. */
interface Upgrade extends IDBVersionChangeEvent {
  /** `total` if the browser has removed damaged data. */
  readonly dataLoss?: string;
  readonly dataLossMessage?: string;
}

/** Tells which databases the browser makes anew, and what it says about data that it has lost. */
function tellNewDatabases(): void {
  const open = indexedDB.open.bind(indexedDB);
  indexedDB.open = (name, version) => {
    const request = open(name, version);
    request.addEventListener('upgradeneeded', ({ dataLoss, dataLossMessage }: Upgrade) => {
      void tell({ step: `makes ${name}, loss ${dataLoss}: ${dataLossMessage}` });
    });
    return request;
  };
}

async function send(): Promise<void> {
  tellNewDatabases();
  const { url, userid, password, chats, first, most }: Plan = await (await fetch('/plan')).json();
  const client = createClient({ url, store: browserStore('sender') });
  await tell({ step: 'opens its state' });
  if (!(await client.open())) {
    await tell({ step: 'logs in' });
    await client.login({ identifier: userid, password });
  }
  await tell({ step: 'queues' });
  for (let number = first; number < most; number++) {
    await client.messaging.queueText(chats[number % chats.length] ?? '', String(number), { cause: `number ${number}` });
    await tell({ queued: number });
  }
  await tell({ step: `empties its outbox of ${client.outbox.all().length}` });
  for (let left = client.outbox.all(); left.length > 0; left = client.outbox.all()) {
    const refused = left.find(({ state }) => state === 'failed');
    if (refused) throw new Error(`message ${refused.localId} was refused: ${refused.failure?.text}`);
    await new Promise((resolve) => client.replica.onChange(resolve));
  }
  await tell({ empty: true });
}

send().catch((error) => tell({ failed: String(error?.stack ?? error) }));
