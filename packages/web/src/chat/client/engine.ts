// The engine: the SDK's client in a worker. Every tab starts one; a lock decides which of them works. When that tab is
// closed, the next one takes over with the state in IndexedDB.
import { browserStore, type Client, createClient, deviceNewsOf } from '@sealpost/sdk';
import { changesOf, waitingRows } from './engine-changes.ts';
import { forgetEverything, serverInfo } from './engine-storage.ts';
import { createSearches, mediaBlob } from './engine-verbs.ts';
import {
  type Answer,
  CHANNEL,
  type EngineEvent,
  LOCK,
  type Request,
  type Said,
  type Snapshot,
  type Status,
} from './protocol.ts';

const STORE = 'sealpost';
/** Identifies this build, so that tabs of an older one find out that they are old. */
const BUILD = import.meta.url;

const topics = new Set([
  'messaging',
  'chats',
  'contacts',
  'profile',
  'stickers',
  'notices',
  'reports',
  'devices',
  'trust',
  'recovery',
  'outbox',
  'replica',
  'media',
]);

class Engine {
  readonly #channel: BroadcastChannel;
  #client: Client | undefined;
  #status: Status = { phase: 'starting', connection: { state: 'connecting' } };
  #login = new AbortController();
  readonly #searches = createSearches(() => this.#opened());

  constructor(channel: BroadcastChannel) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.kind === 'call') void this.#answer(data);
    };
  }

  async run(): Promise<void> {
    this.#tell({ kind: 'leads', build: BUILD });
    try {
      await this.#begin();
    } catch (error) {
      const { name, message, kind } = error as Error & { kind?: string };
      this.#set({ phase: 'failed', problem: { name, message, ...(kind !== undefined && { kind }) } });
    }
  }

  async #begin(): Promise<void> {
    const server = await serverInfo();
    this.#set({ phase: 'starting', server });
    const { buildToken, brand } = server;
    const client = createClient({
      url: location.origin,
      buildToken,
      brand,
      store: browserStore(STORE),
      parts: [{ tables: [], opened: () => {}, observe: async (_tx, operation) => this.#observed(operation) }],
    });
    this.#client = client;
    client.onConnection((connection) => this.#set({ connection }));
    client.onSession((event) => {
      if (event.kind === 'ended') this.#set({ phase: 'signed-out', ended: true });
    });
    client.trust.onEvent((event) => {
      if (event.kind === 'alarm')
        this.#tell({ kind: 'notice', notice: { kind: 'alarm', message: event.error.message } });
      else if (event.kind === 'key-changed')
        this.#tell({ kind: 'notice', notice: { kind: 'new-key', mid: event.mid } });
      else this.#tell({ kind: 'notice', notice: { kind: 'own-key-unknown' } });
    });
    const session = await client.open();
    if (session) this.#loggedIn(client, session.mid);
    else this.#set({ phase: 'signed-out' });
  }

  #loggedIn(client: Client, mid: string): void {
    const { replica, outbox } = client;
    replica.onChange((changes) => {
      if (changes.profile || changes.settings) this.#set(ownRecords(client));
      this.#tell({ kind: 'changes', changes: changesOf(replica, outbox, changes) });
    });
    this.#set({ phase: 'open', ended: false, session: { mid }, ...ownRecords(client) });
    this.#tell({ kind: 'reset' });
  }

  #observed(operation: Parameters<typeof deviceNewsOf>[0]): void {
    const news = deviceNewsOf(operation);
    if (news)
      this.#tell({ kind: 'notice', notice: { kind: 'device', news: news.kind, id: news.id, about: news.about } });
  }

  readonly #own = {
    snapshot: (): Snapshot => {
      const client = this.#client;
      if (!client || this.#status.phase !== 'open')
        return { status: this.#status, chats: [], contacts: [], outbox: [] };
      const { replica, outbox } = client;
      return {
        status: this.#status,
        chats: replica.chats(),
        contacts: replica.contacts(),
        outbox: waitingRows(outbox),
      };
    },
    login: async (identifier: string, password: string): Promise<void> => {
      const client = this.#opened();
      const { mid } = await client.login({
        identifier,
        password,
        systemName: deviceName(),
        signal: this.#newLogin(),
        onConfirmationNeeded: (pinCode, words) => this.#tell({ kind: 'login', step: { kind: 'pin', pinCode, words } }),
        onWithoutKeys: (reason) => this.#tell({ kind: 'login', step: { kind: 'without-keys', reason } }),
      });
      this.#loggedIn(client, mid);
    },
    loginByQr: async (): Promise<void> => {
      const client = this.#opened();
      for await (const step of client.loginByQr({ systemName: deviceName(), signal: this.#newLogin() })) {
        if (step.kind === 'done') this.#loggedIn(client, step.session.mid);
        else if (step.kind === 'qr') this.#tell({ kind: 'login', step: { kind: 'qr', url: step.url } });
        else this.#tell({ kind: 'login', step });
      }
    },
    cancelLogin: (): void => this.#login.abort(),
    /** Ends the session, and deletes everything that this browser keeps of the account, keys included. */
    logout: async (): Promise<void> => {
      const client = this.#client;
      // Without a connection the session stays on the server; it can be ended from another device.
      await client?.logout().catch(() => undefined);
      await client?.close();
      this.#client = undefined;
      await forgetEverything(STORE);
      await this.#begin();
      this.#tell({ kind: 'reset' });
    },
    mediaBlob: (message: Parameters<typeof mediaBlob>[1], type: string) => mediaBlob(this.#opened(), message, type),
    ownKey: () => this.#opened().sealing.ownKey(),
    limits: () => this.#opened().limits(),
  };

  async #answer({ page, id, path, args }: Request): Promise<void> {
    const answer = { kind: 'answer', page, id } as const;
    try {
      this.#tell({ ...answer, value: await this.#verb(path)(...args) });
    } catch (error) {
      const { name, message, stack: _stack, ...fields } = error as Error;
      this.#tell({ ...answer, error: { name, message, fields: JSON.parse(JSON.stringify(fields)) } });
    }
  }

  /** Returns the function that a path such as `chats.createGroup` or `profile.settings.set` names. */
  #verb(path: string): (...args: readonly unknown[]) => unknown {
    const [topic = '', ...names] = path.split('.');
    const start = topic === 'engine' ? this.#own : topic === 'search' ? this.#searches : this.#topic(topic);
    let owner: unknown = start;
    let found: unknown = start;
    for (const name of names) {
      owner = found;
      found = (found as Record<string, unknown>)[name];
    }
    if (typeof found !== 'function') throw new TypeError(`the engine has no verb ${path}`);
    return found.bind(owner);
  }

  #topic(topic: string): unknown {
    if (!topics.has(topic)) throw new TypeError(`the engine has no topic ${topic}`);
    return this.#opened()[topic as keyof Client];
  }

  #opened(): Client {
    if (this.#client) return this.#client;
    throw new Error('The engine has not opened its store yet.');
  }

  #newLogin(): AbortSignal {
    this.#login.abort();
    this.#login = new AbortController();
    return this.#login.signal;
  }

  #set(part: Partial<Status>): void {
    this.#status = { ...this.#status, ...part };
    this.#tell({ kind: 'status', status: this.#status });
  }

  #tell(said: EngineEvent | Answer): void {
    this.#channel.postMessage(said);
  }
}

const ownRecords = ({ replica: { profile, settings } }: Client): Partial<Status> => ({
  ...(profile && { profile }),
  ...(settings && { settings }),
});

/** The name of this browser in the list of sessions. */
function deviceName(): string {
  const { userAgent } = navigator;
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser';
  const system =
    ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name)) ?? '';
  return `Sealpost web (${[browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ')})`;
}

// The lock is held as long as this worker lives. The browser frees it when the tab is gone.
void navigator.locks.request(LOCK, async () => {
  await new Engine(new BroadcastChannel(CHANNEL)).run();
  await new Promise(() => {});
});
