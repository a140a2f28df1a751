// The engine: the SDK's client in a worker. Every tab starts a worker, but only the one that holds a lock runs the
// engine. When its tab is closed, the worker of another tab takes over with the state in IndexedDB.
import { browserStore, type Client, createClient, deviceNewsOf, type QrLoginStep } from '@sealpost/sdk';
import type { ArchiveVerbs } from './engine-archive.ts';
import { changesOf, waitingRows } from './engine-changes.ts';
import { clockAhead, deviceName, whyEnded } from './engine-device.ts';
import { createDownloads, inPercents } from './engine-media.ts';
import { forgetEverything, removeArchive, serverInfo, tellingRoom } from './engine-storage.ts';
import { EngineTrust, trustTables } from './engine-trust.ts';
import type { SearchVerbs } from './engine-verbs.ts';
import {
  type Answer,
  CHANNEL,
  type EngineEvent,
  LOCK,
  type Request,
  type Said,
  type ServerInfo,
  type Snapshot,
  type Status,
} from './protocol.ts';

const STORE = 'sealpost';
/** Identifies this build, so that pages of another build notice that they should be loaded again. */
const BUILD = location.href;

const topics = new Set([
  'ownAccount',
  'messaging',
  'chats',
  'contacts',
  'profile',
  'stickers',
  'notices',
  'push',
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
  /** Resolves when the store is open, or cannot be opened. Pages repeat their calls to a new engine before that. */
  readonly #begun = Promise.withResolvers<void>();
  #client: Client | undefined;
  #status: Status = { phase: 'starting', connection: { state: 'connecting' } };
  #login = new AbortController();
  readonly #tellTransfer = inPercents((transfer) => this.#tell({ kind: 'transfer', transfer }));
  #searches: SearchVerbs | undefined;
  #archives: ArchiveVerbs | undefined;
  readonly #trust = new EngineTrust({
    client: () => this.#client,
    tell: (event) => this.#tell(event),
    now: () => Date.now(),
  });
  #unlisten = (): void => {};
  /** True while this browser logs out, so that the end of the session is not reported as a surprise. */
  #leaving = false;

  constructor(channel: BroadcastChannel) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.kind === 'call') void this.#answer(data);
    };
  }

  async run(): Promise<void> {
    this.#tell({ kind: 'leads', build: BUILD });
    // No page knows of an archive that an earlier engine has left.
    void removeArchive();
    try {
      await this.#begin();
    } catch (error) {
      const { name, message, kind } = error as Error & { kind?: string };
      this.#set({ phase: 'failed', problem: { name, message, ...(kind !== undefined && { kind }) } });
    }
    this.#begun.resolve();
  }

  async #begin(): Promise<void> {
    const server = await serverInfo();
    this.#set({ phase: 'starting', server });
    const client = this.#createClient(server);
    const session = await client.open();
    if (session) this.#loggedIn(client, session.mid);
    else this.#set({ phase: 'signed-out' });
  }

  #createClient({ buildToken, brand }: ServerInfo): Client {
    const client = createClient({
      url: location.origin,
      buildToken,
      brand,
      store: tellingRoom(browserStore(STORE), (storageFull) => {
        if (storageFull !== (this.#status.storageFull ?? false)) this.#set({ storageFull });
      }),
      parts: [
        {
          tables: trustTables,
          opened: (state) => this.#trust.opened(state),
          observe: async (_tx, operation) => this.#observed(operation),
        },
      ],
    });
    this.#client = client;
    client.onConnection((connection) => {
      this.#set({ connection });
      if (connection.state !== 'online') return;
      if (this.#trust.known.ownKey !== 'ready') void this.#trust.refresh();
      void this.#compareClocks(client);
    });
    client.onSession((event) => {
      if (event.kind !== 'ended' || this.#leaving) return;
      const ended = whyEnded(event.reason);
      if (ended === 'deleted') void this.#forget(ended);
      else {
        this.#set({ phase: 'signed-out', ended });
        void this.#removeArchive();
      }
    });
    client.trust.onEvent((event) => void this.#trust.heard(event));
    return client;
  }

  async #compareClocks(client: Client): Promise<void> {
    // If the server does not answer, the last result stays until the next connection.
    const ahead = await clockAhead(client, () => Date.now()).catch(() => this.#status.clockAheadMs);
    if (ahead !== this.#status.clockAheadMs) this.#set({ clockAheadMs: ahead });
  }

  #loggedIn(client: Client, mid: string): void {
    const { replica, outbox } = client;
    this.#unlisten();
    const stops = [
      outbox.onProgress(({ localId, done, total }) => this.#tellTransfer({ id: localId, done, total })),
      replica.onChange((changes) => {
        if (changes.profile || changes.settings) this.#set(ownRecords(client));
        if (changes.settings) void this.#trust.refresh();
        this.#tell({ kind: 'changes', changes: changesOf(replica, outbox, changes) });
      }),
    ];
    this.#unlisten = () => {
      for (const stop of stops) stop();
    };
    this.#set({ phase: 'open', ended: undefined, session: { mid }, ...ownRecords(client) });
    this.#tell({ kind: 'reset' });
    void this.#trust.refresh();
  }

  /** Finishes a login. `withKeys` is true if another device has handed over the account's keys. */
  async #entered(client: Client, mid: string, withKeys: boolean): Promise<void> {
    // The person has another device with the keys. So the page does not offer a backup of the keys.
    if (withKeys) await this.#trust.settleOffer();
    this.#loggedIn(client, mid);
  }

  /** Deletes everything that this browser has stored about the account. `ended` tells the person why. */
  async #forget(ended?: Status['ended']): Promise<void> {
    this.#leaving = true;
    this.#unlisten();
    const client = this.#client;
    this.#client = undefined;
    await this.#removeArchive();
    await client?.close();
    await forgetEverything(STORE);
    this.#set({ phase: 'signed-out', ended, session: undefined, profile: undefined, settings: undefined });
    this.#tell({ kind: 'reset' });
    this.#leaving = false;
  }

  /** Removes the archive, which the next person at this browser must not get. */
  async #removeArchive(): Promise<void> {
    await (this.#archives?.remove() ?? removeArchive());
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
        trust: this.#trust.known,
      };
    },
    login: async (identifier: string, password: string): Promise<void> => {
      const client = await this.#forLogin();
      let withKeys = false;
      const { mid } = await client.login({
        identifier,
        password,
        systemName: deviceName(),
        signal: this.#newLogin(),
        onConfirmationNeeded: (pinCode, words) => {
          withKeys = words !== undefined;
          this.#tell({ kind: 'login', step: { kind: 'pin', pinCode, words } });
        },
        onWithoutKeys: () => {
          withKeys = false;
        },
      });
      await this.#entered(client, mid, withKeys);
    },
    loginByQr: async (): Promise<void> => {
      const client = await this.#forLogin();
      for await (const step of client.loginByQr({ systemName: deviceName(), signal: this.#newLogin() })) {
        if (step.kind === 'done') await this.#entered(client, step.session.mid, step.keys.length > 0);
        else this.#tellStep(step);
      }
    },
    /**
     * Gets the account's keys from another device. Devices hand over keys only during a login, so this browser logs in
     * again by QR code and ends its former session. Returns true if keys came.
     */
    keysFromDevice: async (): Promise<boolean> => {
      const client = this.#opened();
      const former = (await client.devices.sessions()).find(({ current }) => current);
      let withKeys = false;
      const login = { systemName: deviceName(), signal: this.#newLogin(), certificate: '' };
      for await (const step of client.loginByQr(login)) {
        if (step.kind !== 'done') this.#tellStep(step);
        else {
          withKeys = step.keys.length > 0;
          await this.#entered(client, step.session.mid, withKeys);
        }
      }
      if (former) await client.devices.revoke(former.loginSessionId);
      return withKeys;
    },
    cancelLogin: (): void => this.#login.abort(),
    /** Ends the session, and deletes everything that this browser has stored about the account, its keys included. */
    logout: async (): Promise<void> => {
      const client = this.#client;
      this.#leaving = true;
      this.#unlisten();
      // Without a connection the session stays on the server; it can be ended from another device.
      await client?.logout().catch(() => undefined);
      await this.#forget();
    },
    /** Deletes the account, and then everything that this browser has stored about it. */
    deleteAccount: async (password: string): Promise<void> => {
      this.#leaving = true;
      try {
        await this.#opened().ownAccount.delete(password);
      } catch (error) {
        this.#leaving = false;
        throw error;
      }
      await this.#forget('deleted');
    },
    ...createDownloads(() => this.#opened(), this.#tellTransfer),
    ownKey: () => this.#opened().sealing.ownKey(),
    limits: () => this.#opened().limits(),
  };

  async #answer({ page, id, path, args }: Request): Promise<void> {
    const answer = { kind: 'answer', page, id } as const;
    try {
      if (path !== 'engine.snapshot') await this.#begun.promise;
      this.#tell({ ...answer, value: await (await this.#verb(path))(...args) });
    } catch (error) {
      const { name, message, stack: _stack, ...fields } = error as Error;
      this.#tell({ ...answer, error: { name, message, fields: JSON.parse(JSON.stringify(fields)) } });
    }
  }

  /** Returns the function for a path such as `chats.createGroup` or `profile.settings.set`. */
  async #verb(path: string): Promise<(...args: readonly unknown[]) => unknown> {
    const [topic = '', ...names] = path.split('.');
    const start = await this.#topic(topic, names[0] ?? '');
    let owner: unknown = start;
    let found: unknown = start;
    for (const name of names) {
      owner = found;
      found = (found as Record<string, unknown>)[name];
    }
    if (typeof found !== 'function') throw new TypeError(`the engine has no verb ${path}`);
    return found.bind(owner);
  }

  /**
   * Returns the object that contains the verbs of a topic. Verbs for searches, the archive and keys are loaded when one
   * of them is called.
   */
  async #topic(topic: string, verb: string): Promise<unknown> {
    if (topic === 'search') return this.#withSearches();
    if (topic === 'archive') return this.#withArchives();
    if (topic === 'engine' && verb in this.#own) return this.#own;
    if (topic === 'engine') {
      const { createKeyVerbs } = await import('./engine-keys.ts');
      return createKeyVerbs({ client: () => this.#opened(), trust: this.#trust });
    }
    if (!topics.has(topic)) throw new TypeError(`the engine has no topic ${topic}`);
    return this.#opened()[topic as keyof Client];
  }

  async #withSearches(): Promise<SearchVerbs> {
    const { createSearches } = await import('./engine-verbs.ts');
    this.#searches ??= createSearches(() => this.#opened());
    return this.#searches;
  }

  async #withArchives(): Promise<ArchiveVerbs> {
    const { createArchives } = await import('./engine-archive.ts');
    this.#archives ??= createArchives({ client: () => this.#opened(), tell: (archive) => this.#set({ archive }) });
    return this.#archives;
  }

  /**
   * Returns the client for a login. After a logout there is no client, because a client stores data in the browser. In
   * that case, creates a new one.
   */
  async #forLogin(): Promise<Client> {
    return this.#client ?? this.#createClient(await serverInfo());
  }

  #opened(): Client {
    if (this.#client) return this.#client;
    throw new Error('The store is not open yet.');
  }

  #tellStep(step: Exclude<QrLoginStep, { kind: 'done' }>): void {
    this.#tell({ kind: 'login', step: step.kind === 'qr' ? { kind: 'qr', url: step.url } : step });
  }

  #newLogin(): AbortSignal {
    this.#tell({ kind: 'login', step: { kind: 'begun' } });
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

// The worker holds the lock as long as it runs. The browser releases the lock when the tab is closed.
void navigator.locks.request(LOCK, async () => {
  await new Engine(new BroadcastChannel(CHANNEL)).run();
  await new Promise(() => {});
});
