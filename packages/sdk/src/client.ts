import type { BaseClient, Message, OutgoingMessage, SendOptions } from './base-client.ts';
import { createDevices } from './devices.ts';
import { createGateway, createServices } from './gateway/calls.ts';
import { GatewayError, NetworkError } from './gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause, systemPorts } from './gateway/ports.ts';
import { createReqSeq } from './gateway/req-seq.ts';
import type { Session, SessionStorage } from './gateway/session.ts';
import { createRecovery } from './key-backup/recovery.ts';
import { type KeyStore, memoryKeyStore } from './key-store/key-store.ts';
import { type LoggedIn, loginByCredential } from './login/login.ts';
import { qrLogin } from './login/qr-login.ts';
import { createMedia, type Media } from './media/index.ts';
import type { MediaSealing } from './media/media-sealing.ts';
import { createObjectStorage } from './media/object-storage.ts';
import { memoryUploadStore, type UploadStore } from './media/upload-store.ts';
import { draftOf } from './messaging/draft.ts';
import { type OperationsOptions, operations, type StreamEvent } from './operations.ts';
import { createTrust } from './trust/trust.ts';

export interface ClientOptions extends Partial<ClientPorts> {
  /** Address of the gateway, for example `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Secret that signatures are made with: one of the server's `SEALPOST_BUILD_TOKENS`. */
  readonly buildToken?: string;
  /** Brand inside header names, the server's `SEALPOST_HEADER_BRAND`. */
  readonly brand?: string;
  /** In underscore form, for example `en_US`. */
  readonly locale?: string;
  /** A session of an earlier run. */
  readonly session?: Session;
  /** Keeps the session between runs: written after login, renewal and logout. */
  readonly storage?: SessionStorage;
  /** Keeps the account's key pairs on this device. Given, a login asks for them and an approval hands them over. */
  readonly keyStore?: KeyStore;
  /** Address of object storage, if it is not that of the gateway. */
  readonly objectsUrl?: string;
  /** Keeps what uploads need to go on in a later run; without it they go on as long as the client lives. */
  readonly uploads?: UploadStore;
}

export interface Client extends BaseClient {
  /** Images, videos, sounds and files: with a sealing client sealed where the chat is, without one all plain. */
  media(sealing?: MediaSealing): Media;
}

const SEND_RETRY: Backoff = { initialMs: 300, maxMs: 10_000, multiplier: 2, jitter: 0.5 };
const SEND_TRIES = 6;

export function createClient(options: ClientOptions): Client {
  const ports: ClientPorts = {
    fetch: options.fetch ?? systemPorts.fetch,
    clock: options.clock ?? systemPorts.clock,
    timers: options.timers ?? systemPorts.timers,
    random: options.random ?? systemPorts.random,
  };
  const locale = options.locale ?? 'en_US';
  const gateway = createGateway(
    { url: options.url, buildToken: options.buildToken ?? 'sealpost-dev', brand: options.brand ?? 'Svc', locale },
    ports,
    options.storage,
  );
  const { session } = gateway;
  const keyStore = options.keyStore ?? memoryKeyStore();
  const trust = createTrust({ gateway, keyStore, clock: ports.clock });
  const storage = createObjectStorage(gateway, options.objectsUrl ?? options.url, locale, ports);
  const uploads = options.uploads ?? memoryUploadStore();
  const closing = new AbortController();
  const nextReqSeq = createReqSeq(ports.clock);
  // Sets the timer at once; nothing is saved, hence nothing to wait for.
  if (options.session) void session.begin(options.session, { save: false });

  const untilClosed = (signal?: AbortSignal): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  /** Keys first: a session that was kept without them would not ask again. */
  async function begin({ session: begun, keys }: LoggedIn): Promise<void> {
    await keyStore.addOwnKeys(begun.mid, keys);
    await session.begin(begun, { save: true });
    trust.checkNowAndThen();
  }

  async function* read(readOptions: OperationsOptions): AsyncGenerator<StreamEvent, void, undefined> {
    trust.checkNowAndThen();
    for await (const event of operations(gateway, ports, locale, readOptions)) {
      if (event.kind === 'operation') trust.heard(event.operation);
      yield event;
    }
  }

  async function send(message: OutgoingMessage, { reqSeq = nextReqSeq() }: SendOptions = {}): Promise<Message> {
    const draft = draftOf(message, { reqSeq, own: session.current?.mid, now: ports.clock.now() });
    for (let attempt = 0; ; attempt++) {
      try {
        return await gateway.call('TalkService.sendMessage', draft.reqSeq, draft.message);
      } catch (error) {
        if (!mayRepeat(error) || attempt + 1 === SEND_TRIES || closing.signal.aborted) throw error;
        const wait =
          (error instanceof GatewayError && error.retryAfterMs) || backoffDelay(SEND_RETRY, attempt, ports.random);
        await pause(ports.timers, wait, closing.signal);
      }
    }
  }

  return {
    ...createServices(gateway),
    get session() {
      return session.current;
    },
    devices: createDevices(gateway, keyStore),
    keyStore,
    trust,
    recovery: createRecovery(trust.account),
    async login(credential) {
      const deps = { gateway, ports, credential, signal: untilClosed(credential.signal) };
      const loggedIn = await loginByCredential(deps, options.keyStore !== undefined);
      await begin(loggedIn);
      return loggedIn.session;
    },
    async *loginByQr(qrOptions = {}) {
      for await (const step of qrLogin(gateway, ports, { ...qrOptions, signal: untilClosed(qrOptions.signal) })) {
        if (step.kind === 'done') await begin(step);
        yield step;
      }
    },
    async logout() {
      if (!session.current) return;
      await gateway.call('AuthService.logoutV2').catch((error) => {
        // A session that is over already is what was asked for.
        if (session.current) throw error;
      });
      await session.end();
    },
    onSession: (listener) => session.listen(listener),
    nextReqSeq,
    send,
    media: (sealing) => createMedia({ gateway, ports, storage, uploads, sealing, nextReqSeq }),
    sendText: (to, text) => send({ to, text, contentType: 0 }),
    operations: ({ signal, ...rest } = {}) => read({ ...rest, signal: untilClosed(signal) }),
    close() {
      closing.abort();
      session.close();
    },
  };
}

const mayRepeat = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof GatewayError && error.retry);
