// The client: one object for everything that a program does with an account. It keeps the login, the keys and the local
// state in a store, follows the operation log, and sends through an outbox.

import { type EncryptedIdentityV3, httpPaths } from '@sealpost/contract';
import type { Chats } from './chats/index.ts';
import type { Contacts } from './contacts/index.ts';
import { type ClientPorts, eitherOf, withSystemPorts } from './gateway/ports.ts';
import type { Session, SessionEvent } from './gateway/session.ts';
import { announcingKeyStore } from './key-store/announcing-key-store.ts';
import { Listeners } from './listeners.ts';
import { type AccountPart, LocalAccount, type LocalAccountDeps } from './local-account.ts';
import type { Credential } from './login/login.ts';
import type { QrLoginOptions, QrLoginStep } from './login/qr-login.ts';
import type { Media } from './media/index.ts';
import { memoryUploadStore, type UploadStore } from './media/upload-store.ts';
import { Messaging } from './messaging/messaging.ts';
import { Notices } from './notices.ts';
import type { StateChange } from './operations.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { OwnAccount } from './own-account/index.ts';
import type { OwnProfile } from './profile/index.ts';
import { Push } from './push.ts';
import { createRegistration, type RegistrationVerbs } from './registration/create-registration.ts';
import type { ClientLimits } from './replica/client-limits.ts';
import type { Replica } from './replica/replica.ts';
import type { Reports } from './reports/index.ts';
import { createRpcClient, type RpcClient, type RpcClientOptions } from './rpc-client.ts';
import { createSealingClient, type SealingClient } from './sealing/sealing-client.ts';
import { createStickers, type Stickers } from './stickers/index.ts';
import { type ClientStore, memoryStore } from './store/client-store.ts';
import { wasClosed } from './store/local-state.ts';
import { createVerbs } from './verbs.ts';

export interface ClientOptions
  extends Pick<RpcClientOptions, 'url' | 'buildToken' | 'brand' | 'locale' | 'objectsUrl'>,
    Partial<ClientPorts> {
  /**
   * The place where the client keeps the login, the keys and the local state: `folderStore` in Node, `browserStore` in
   * browsers. If absent, everything is in memory and lost at the end.
   */
  readonly store?: ClientStore;
  /** Parts that keep records of their own, which they update with every operation. An example is the inbox of a bot. */
  readonly parts?: readonly AccountPart[];
}

/** One account on one device. Call `open` or log in first. */
export class Client {
  /** A typed call for every endpoint of the contract. This object also keeps the session. */
  readonly rpc: RpcClient;
  readonly sealing: SealingClient;
  readonly messaging: Messaging;
  readonly media: Media;
  /** Groups and rooms. */
  readonly chats: Chats;
  readonly contacts: Contacts;
  /** The account's own profile and settings. */
  readonly profile: OwnProfile;
  readonly stickers: Stickers;
  /** Notices of the operator. */
  readonly notices: Notices;
  /** Push messages to the browser of this session. */
  readonly push: Push;
  /** Opens an account on the server. Needs no login. */
  readonly registration: RegistrationVerbs;
  /** Reports of abuse to the operator. */
  readonly reports: Reports;
  readonly #store: ClientStore;
  readonly #deps: LocalAccountDeps;
  readonly #listeners: Listeners<StateChange>;
  readonly #closing = new AbortController();
  #connection: StateChange = { state: 'connecting' };
  #account: LocalAccount | undefined;
  /** The removal of a deleted account from this device, if it was deleted. */
  #forgetting: Promise<void> | undefined;

  constructor({ store = memoryStore(), parts = [], ...options }: ClientOptions) {
    const given = withSystemPorts(options);
    const ports: ClientPorts = { ...given, fetch: untilClosed(given.fetch, this.#closing.signal) };
    this.#store = store;
    this.#listeners = new Listeners(ports.onListenerError);
    this.rpc = createRpcClient({
      ...options,
      ...ports,
      storage: store.session,
      keyStore: announcingKeyStore(store.keyStore, (mid) => this.#keysCame(mid)),
      uploads: uploadsOf(() => this.#account),
    });
    this.rpc.onSession((event) => {
      if (event.kind !== 'ended' || !event.reason?.accountDeleted || !this.#account) return;
      // If something cannot be removed, for example because the disk is full, the next attempt to log in reports the
      // error.
      this.#forget(this.#account.mid).catch(ports.onListenerError);
    });
    const limits = () => this.limits();
    this.sealing = createSealingClient(this.rpc, { ...ports, pageSize: async () => (await limits()).syncMessages });
    this.media = this.rpc.media(this.sealing);
    this.messaging = new Messaging({
      rpc: this.rpc,
      sealing: this.sealing,
      timers: ports.timers,
      account: () => this.#opened(),
    });
    const { rpc, sealing, media } = this;
    const { url, locale = 'en_US' } = options;
    const contactOf = (mid: string) => this.#opened().replica.contact(mid);
    const verbs = createVerbs(rpc, { ...ports, limits, contactOf });
    ({ contacts: this.contacts, chats: this.chats, profile: this.profile, reports: this.reports } = verbs);
    this.stickers = createStickers({ rpc, url, locale });
    this.notices = new Notices(rpc, locale);
    this.push = new Push(rpc);
    this.registration = createRegistration({ url, fetch: ports.fetch });
    this.#deps = { rpc, sealing, media, store, ports, parts, onConnection: (change) => this.#connected(change) };
  }

  /** The current session; undefined before `open` or a login, and after the session ended. */
  get session(): Session | undefined {
    return this.rpc.session;
  }

  /** The connection of the operation stream, as last reported. */
  get connection(): StateChange {
    return this.#connection;
  }

  /** The chats, messages and contacts of the account, as kept on this device. */
  get replica(): Replica {
    return this.#opened().replica;
  }

  /** The messages that wait to be sent. */
  get outbox(): Outbox {
    return this.#opened().outbox;
  }

  /** Tokens for channels, such as the timeline. */
  get channels(): RpcClient['channels'] {
    return this.rpc.channels;
  }

  get devices(): RpcClient['devices'] {
    return this.rpc.devices;
  }

  /** Changes of the account itself: its password, its identifiers, its deletion. */
  get ownAccount(): OwnAccount {
    const { changePassword, changeIdentifiers, delete: remove } = this.rpc.ownAccount;
    return {
      changePassword,
      changeIdentifiers: async (changes) => {
        const mid = this.rpc.session?.mid;
        const identifiers = await changeIdentifiers(changes);
        if (mid !== undefined) await this.#store.certificates.alsoUnder(mid, Object.values(identifiers));
        return identifiers;
      },
      delete: async (password) => {
        const mid = this.rpc.session?.mid;
        await remove(password);
        if (mid !== undefined) await this.#forget(mid);
      },
    };
  }

  get trust(): RpcClient['trust'] {
    return this.rpc.trust;
  }

  get recovery(): RpcClient['recovery'] {
    return this.rpc.recovery;
  }

  /**
   * Continues the login that the store has, with the local state of its account. Works without a connection. Returns
   * undefined if the store has no login. In that case, log in.
   * @throws StoreError if the local state is open elsewhere or cannot be read
   */
  async open(): Promise<Session | undefined> {
    const session = this.rpc.session ?? (await this.#store.session.load());
    if (!session) return undefined;
    if (!this.rpc.session) await this.rpc.resume(session);
    await this.#begin(session);
    return session;
  }

  /**
   * Logs in with a user id, e-mail address or phone number, and a password; see `RpcClient.login`. If the store has a
   * certificate of an earlier login with the same identifier, the login needs no confirmation. But without a
   * confirmation, this device gets no keys. To get keys, pass the empty certificate `''`: it asks for a confirmation in
   * any case.
   */
  async login(credential: Credential): Promise<Session> {
    const { identifier } = credential;
    const certificate = credential.certificate ?? (await this.#store.certificates.load(identifier));
    const session = await this.rpc.login({ ...credential, ...(certificate !== undefined && { certificate }) });
    await this.#keepCertificate(session, identifier);
    await this.#begin(session);
    return session;
  }

  /**
   * Logs in by a QR code that a logged-in device scans; see `RpcClient.loginByQr`. The certificate of the last login on
   * this device is offered, unless the options name one.
   */
  async *loginByQr(options: QrLoginOptions = {}): AsyncGenerator<QrLoginStep, void, undefined> {
    const certificate = options.certificate ?? (await this.#store.certificates.load());
    for await (const step of this.rpc.loginByQr({ ...options, ...(certificate !== undefined && { certificate }) })) {
      if (step.kind === 'done') {
        await this.#keepCertificate(step.session);
        await this.#begin(step.session);
      }
      yield step;
    }
  }

  /**
   * Ends the session on the server, and deletes the local state. The keys and the certificate of the device stay in the
   * store.
   */
  async logout(): Promise<void> {
    const mid = this.#account?.mid;
    await this.rpc.logout();
    await this.#account?.close();
    this.#account = undefined;
    if (mid !== undefined) await this.#store.state.remove(mid);
  }

  /**
   * If the account was deleted, resolves when this device has removed its data. The client starts the removal when the
   * server reports the deletion.
   */
  async forgotten(): Promise<void> {
    await this.#forgetting;
  }

  /** Returns the limits that the server sends to its clients. Asks the server only once. */
  limits(): Promise<ClientLimits> {
    return this.#opened().server.limits();
  }

  /** Reads the limits and switches that the server sends to its clients, by their names on the wire. */
  async configurations(): Promise<Readonly<Record<string, string>>> {
    return (await this.rpc.TalkService.getConfigurations()).configMap;
  }

  /** Returns the time of the server, in epoch milliseconds. */
  async serverTime(): Promise<number> {
    return Number(await this.rpc.TalkService.getServerTime());
  }

  /**
   * Returns values that the server keeps for the account. A program may derive a key from them for data that it stores
   * itself. This client seals its own state with a key of the key store instead.
   */
  encryptedIdentity(): Promise<EncryptedIdentityV3> {
    return this.rpc.TalkService.getEncryptedIdentityV3();
  }

  /** Resolves when the replica has everything that the server had at the time of the call. */
  synced(): Promise<void> {
    return this.#opened().synced();
  }

  /**
   * Tries to open messages that stayed sealed. The client does this by itself when this device gets keys, and as long
   * as keys of other users cannot be read. After this call, `synced` waits until all those messages have been tried.
   */
  openAgain(): Promise<void> {
    return this.#opened().openAgain();
  }

  /**
   * Calls the listener when the connection of the operation stream changes. Returns the function that removes the
   * listener.
   */
  onConnection(listener: (change: StateChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls the listener when the session is renewed or ends. Returns the function that removes the listener. */
  onSession(listener: (event: SessionEvent) => void): () => void {
    return this.rpc.onSession(listener);
  }

  /** Stops everything for good. Messages that wait in the outbox stay in the store. */
  async close(): Promise<void> {
    this.rpc.close();
    const closed = this.#account?.close();
    this.#closing.abort(wasClosed());
    await closed;
    await this.#forgetting?.catch(() => undefined);
    this.sealing.close();
  }

  async #keepCertificate({ mid, certificate }: Session, identifier?: string): Promise<void> {
    if (certificate) await this.#store.certificates.save(mid, certificate, identifier);
  }

  /** Opens the local state of an account, unless it is open, and begins to follow its log. */
  async #begin({ mid }: Session): Promise<void> {
    this.#closing.signal.throwIfAborted();
    this.#forgetting = undefined;
    if (this.#account?.mid !== mid) {
      await this.#account?.close();
      this.#account = undefined;
      this.#account = await LocalAccount.open(this.#deps, mid);
    }
    this.#account.start();
  }

  /** Removes everything that this device keeps of a deleted account: the state, the keys and the certificate. */
  #forget(mid: string): Promise<void> {
    this.#forgetting ??= this.#forgetNow(mid);
    return this.#forgetting;
  }

  async #forgetNow(mid: string): Promise<void> {
    await this.#account?.close();
    this.#account = undefined;
    const { state, keyStore, certificates, session } = this.#store;
    await state.remove(mid);
    await keyStore.forget(mid);
    await certificates.forget(mid);
    await session.save(undefined);
  }

  #keysCame(mid: string): void {
    // If this fails, for example because the client was closed in the meantime, the messages are opened after the next
    // start.
    if (this.#account?.mid === mid) this.#account.keysCame().catch(() => undefined);
  }

  #opened(): LocalAccount {
    if (this.#account) return this.#account;
    throw new Error('Nobody is logged in: call `open`, or log in.');
  }

  #connected(change: StateChange): void {
    this.#connection = change;
    this.#listeners.tell(change);
  }
}

/**
 * Creates a client. It does nothing until `open` or a login.
 * @throws TypeError if `url` is not an address of a server
 */
export const createClient = (options: ClientOptions): Client => new Client(options);

/**
 * Aborts requests when the client is closed, so that closing need not wait for a server that does not answer. A renewal
 * of tokens is not aborted: if the new refresh token got lost, the session would end.
 */
const untilClosed =
  (fetch: ClientPorts['fetch'], closed: AbortSignal): ClientPorts['fetch'] =>
  (input, init) => {
    if (String(input).endsWith(httpPaths.tokenRefresh)) return fetch(input, init);
    return fetch(input, { ...init, signal: eitherOf(closed, init?.signal) });
  };

/** Keeps the state of unfinished uploads in the local state of the account. Before a login, keeps it in memory. */
function uploadsOf(account: () => LocalAccount | undefined): UploadStore {
  const memory = memoryUploadStore();
  const place = (): UploadStore => account()?.uploads ?? memory;
  return {
    load: (key) => place().load(key),
    save: (key, state) => place().save(key, state),
    remove: (key) => place().remove(key),
  };
}
