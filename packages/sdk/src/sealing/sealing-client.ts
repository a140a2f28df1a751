// Letter Sealing on top of a client: it seals messages before they are sent, and opens messages that are received.
import { clientLimits, type Message, type Operation, operationTypes } from '@sealpost/contract';
import type { Ports } from '@sealpost/contract/ports';
import type { KeyChainEntry } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import type { GatewayError } from '../gateway/errors.ts';
import { withSystemPorts } from '../gateway/ports.ts';
import type { OperationsOptions, StreamEvent } from '../operations.ts';
import type { SealingExpected } from '../trust/trust.ts';
import { keysBySession } from './account-sealing.ts';
import type { SealableMessage } from './content.ts';
import { type GroupTrust, groupTrust } from './group-trust.ts';
import { type Boundary, historyPages } from './history-pages.ts';
import type { OpenedMessage } from './open.ts';
import { openedInTime } from './opened-in-time.ts';
import type { PlainReason } from './reasons.ts';
import { type Keys, planFor } from './seal-plan.ts';
import {
  learn,
  type PreparedMessage,
  prepareMessage,
  type SealedSendOptions,
  type SentMessage,
  sendSealed,
} from './send.ts';
import { downgradeOf, formFor, type SendMode } from './send-mode.ts';

export interface SealingOptions extends Partial<Ports> {
  /** Returns how many messages of a history one call asks for; the limit of the contract if not given. */
  readonly pageSize?: () => Promise<number>;
}

/** An operation. If it has a message, the message was opened. */
export type OpenedOperation = Omit<Operation, 'message'> & { readonly message?: OpenedMessage };

export type OpenedEvent =
  | { readonly kind: 'operation'; readonly operation: OpenedOperation }
  | Exclude<StreamEvent, { kind: 'operation' }>;

export interface OpenedOperationsOptions extends OperationsOptions {
  /**
   * If true, each message is yielded at once, even if its keys cannot be fetched now. Only for callers that try to open
   * such messages again later. If not set, the iteration waits up to half a minute for the keys of each message.
   */
  readonly atOnce?: boolean;
}

/** The state of the account's own key, see `SealingClient.ownKey`. */
export type OwnKeyState =
  | { readonly kind: 'ready'; readonly keyId: number }
  | { readonly kind: 'off' }
  | { readonly kind: 'missing'; readonly keyId: number };

/** Says whether a message of a given type would be sealed if it were sent to the chat now. */
export type SealingPreview =
  | { readonly sealed: true }
  | {
      readonly sealed: false;
      readonly because: PlainReason;
      /**
       * The reason why `send` would refuse the message in every mode except `plain`; undefined if `send` would not
       * refuse it.
       */
      readonly refused?: SealingExpected;
    };

/** One step of opening a message: what was checked, and what was found. */
export interface OpeningStep {
  readonly step: string;
  readonly found: string;
}

/** A prepared message that the server refused. */
export interface RefusedMessage {
  readonly message: SealableMessage;
  readonly prepared: PreparedMessage;
  readonly mode: SendMode;
}

export interface SealingClient {
  /**
   * Sends a text, place, picture, video, sound or file: sealed if it can be sealed for everybody, otherwise in the
   * clear. The result says whether the message was sealed. Other types go in the clear. A message to a verified
   * contact, or into a chat that was sealed before, goes in the clear only with the mode `plain`.
   * @throws SealingError if the message must not be sent in the requested mode; then nothing has left this device
   */
  send(message: SealableMessage, how?: SendMode | SealedSendOptions): Promise<SentMessage>;
  sendText(to: string, text: string, how?: SendMode | SealedSendOptions): Promise<SentMessage>;
  /**
   * Returns a message in the form in which the server gets it, sealed or in the clear. Sends nothing. An outbox stores
   * this form, and sends the same bytes until the outcome is known.
   * @throws SealingError as `send` does
   */
  prepare(message: SealableMessage, mode?: SendMode): Promise<PreparedMessage>;
  /**
   * Drops cached answers, such as keys, that are out of date according to the refusal of a prepared message. Returns
   * whether the message can succeed if it is prepared again.
   * @throws SealingError if the message had to go in the clear, and the chat accepts only sealed messages
   */
  learn(refused: RefusedMessage, error: GatewayError): boolean;
  /** Returns whether a message would be sealed. Programs ask this before they upload a picture. */
  preview(message: Pick<SealableMessage, 'to' | 'contentType'>): Promise<SealingPreview>;
  /**
   * Returns whether a message is sealed in a mode; the default mode is `auto`. Programs ask this before they upload
   * media.
   * @throws SealingError as `send` does
   */
  formFor(message: Pick<SealableMessage, 'to' | 'contentType'>, mode?: SendMode): Promise<SealingPreview>;
  /** Returns the group key that others seal with now, and which members are verified. Registers no key. */
  group(chatMid: string): Promise<GroupTrust>;
  /**
   * Opens a message from any source: history, message boxes, the stream. Never throws: the result says why a message
   * cannot be opened. If the result has `waitsFor`, the message may open later.
   */
  open(message: Message): Promise<OpenedMessage>;
  openAll(messages: readonly Message[]): Promise<OpenedMessage[]>;
  /** Opens a message, and returns each step. No key leaves this device. */
  explain(message: Message): Promise<{ readonly message: OpenedMessage; readonly steps: readonly OpeningStep[] }>;
  /**
   * Returns the newest messages of a chat, opened, the newest first. If `before` is given, returns only messages older
   * than this message, which is given as an object or by its id.
   */
  history(chatMid: string, count: number, before?: string | Boundary): Promise<OpenedMessage[]>;
  /**
   * Yields the events of `client.operations`, with opened messages. Registers the account's first key, so that others
   * can seal for the account.
   */
  operations(options?: OpenedOperationsOptions): AsyncGenerator<OpenedEvent, void, undefined>;
  /** Updates what is known about keys and members from an operation. For callers that read the stream themselves. */
  notice(operation: Operation): void;
  /**
   * Returns the state of the account's key on this device; registers one if the account has none. `off`: the account
   * does not seal. `missing`: the account has a newer key than this device.
   */
  ownKey(): Promise<OwnKeyState>;
  /**
   * Registers a new key of the account. All other devices of the account will need it, and all contacts are notified.
   */
  renewOwnKey(): Promise<KeyChainEntry>;
  /** Overwrites shared secrets in memory. The client itself stays open. */
  close(): void;
}

/**
 * Creates a sealing client. Its keys are in `client.keyStore`, which should outlive the process. If a registered key is
 * lost with the process, nobody can open the messages that were sealed for it.
 */
export function createSealingClient(client: BaseClient, options: SealingOptions = {}): SealingClient {
  const ports = withSystemPorts(options);
  const pageSizeOf = options.pageSize ?? (async () => clientLimits.syncMessages.value);
  const keysOf = keysBySession(client, ports.clock, pageSizeOf);

  const open = (message: Message) => keysOf().opener.open(message);
  const openAll = (messages: readonly Message[]) => Promise.all(messages.map(open));
  const send = (message: SealableMessage, how: SendMode | SealedSendOptions = {}) =>
    sendSealed({ client, keys: keysOf().keys, ports }, message, typeof how === 'string' ? { mode: how } : how);

  async function preview(message: Pick<SealableMessage, 'to' | 'contentType'>): Promise<SealingPreview> {
    const plan = await planFor(keysOf().keys, message);
    if (plan.sealed) return { sealed: true };
    const refused = await downgradeOf(keysOf().keys, client.trust, message.to, plan.because);
    return { ...plan, ...(refused && { refused }) };
  }

  async function ownKey(): Promise<OwnKeyState> {
    const state = await keysOf().keys.own.state();
    return state.kind === 'ready' ? { kind: 'ready', keyId: state.key.keyId } : state;
  }

  async function history(chatMid: string, count: number, from?: string | Boundary): Promise<OpenedMessage[]> {
    const messages: OpenedMessage[] = [];
    const before = typeof from === 'string' ? { id: from } : from;
    const wanted = { count, before, pageSize: await pageSizeOf() };
    for await (const page of historyPages(client, chatMid, wanted)) messages.push(...(await openAll(page)));
    return messages;
  }

  async function* operations({
    atOnce,
    ...options
  }: OpenedOperationsOptions = {}): AsyncGenerator<OpenedEvent, void, undefined> {
    const isOver = (): boolean => options.signal?.aborted || !client.session;
    const inTime = (message: Message) => openedInTime(() => open(message), { ports, signal: options.signal, isOver });
    // A failure is ignored here, because the stream continues, and the next message that is sent or opened reports the
    // failure.
    await ownKey().catch(() => {});
    for await (const event of client.operations(options)) {
      if (event.kind !== 'operation') {
        keysOf().forget();
        yield event;
        continue;
      }
      const { message, ...operation } = event.operation;
      notice(event.operation);
      const opened = message && (await (atOnce ? open(message) : inTime(message)));
      yield { kind: 'operation', operation: opened ? { ...operation, message: opened } : operation };
    }
  }

  const notice = (operation: Operation): void => forgetChanged(keysOf().keys, operation);

  return {
    send,
    sendText: (to, text, how) => send({ to, text, contentType: 0 }, how),
    preview,
    async formFor(message, mode = 'auto') {
      const plan = await formFor(keysOf().keys, client.trust, message, mode);
      return plan.sealed ? { sealed: true } : plan;
    },
    group: (chatMid) => groupTrust(keysOf().keys, client.trust, chatMid),
    open,
    openAll,
    async explain(message) {
      const steps: OpeningStep[] = [];
      const opened = await keysOf().opener.open(message, (step, found) => steps.push({ step, found }));
      return { message: opened, steps };
    },
    prepare: (message, mode = 'auto') => prepareMessage({ client, keys: keysOf().keys }, message, mode),
    learn: (refused, error) => learn(keysOf().keys, refused, error),
    history,
    operations,
    notice,
    ownKey,
    renewOwnKey: () => keysOf().keys.own.renew(),
    close: () => keysOf.close(),
  };
}

/** Drops the cached answers that are out of date because of an operation. */
function forgetChanged({ own, peers, groups }: Keys, { type, param1 = '' }: Operation): void {
  if (CHANGES_OF_OWN.includes(type)) own.forget();
  if (CHANGES_OF_MEMBERS.includes(type)) groups.forget(param1);
  if (type !== operationTypes.NOTIFIED_E2EE_KEY_UPDATE) return;
  peers.forget(param1);
  groups.forgetAll();
}

const CHANGES_OF_OWN: readonly number[] = [operationTypes.REGISTER_E2EE_PUBLICKEY, operationTypes.UPDATE_SETTINGS];
const CHANGES_OF_MEMBERS: readonly number[] = [
  operationTypes.NOTIFIED_JOIN_CHAT,
  operationTypes.NOTIFIED_LEAVE_CHAT,
  operationTypes.INVITE_INTO_CHAT,
  operationTypes.NOTIFIED_INVITE_INTO_CHAT,
  operationTypes.DELETE_SELF_FROM_CHAT,
  operationTypes.NOTIFIED_DELETE_SELF_FROM_CHAT,
  operationTypes.ACCEPT_CHAT_INVITATION,
  operationTypes.NOTIFIED_ACCEPT_CHAT_INVITATION,
  operationTypes.DELETE_OTHER_FROM_CHAT,
  operationTypes.NOTIFIED_DELETE_OTHER_FROM_CHAT,
];
