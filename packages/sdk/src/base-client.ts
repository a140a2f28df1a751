import type { MethodArgs, MethodResult } from '@sealpost/contract';
import type { Channels } from './channels.ts';
import type { Devices } from './devices/index.ts';
import type { Services } from './gateway/calls.ts';
import type { HttpCalls } from './gateway/http-calls.ts';
import type { Session, SessionEvent } from './gateway/session.ts';
import type { Recovery } from './key-backup/recovery.ts';
import type { KeyStore } from './key-store/key-store.ts';
import type { Credential } from './login/login.ts';
import type { QrLoginOptions, QrLoginStep } from './login/qr-login.ts';
import type { OperationsOptions, StreamEvent } from './operations.ts';
import type { OwnAccount } from './own-account/index.ts';
import type { Trust } from './trust/trust.ts';

export type OutgoingMessage = MethodArgs<'TalkService.sendMessage'>[1];
export type Message = MethodResult<'TalkService.sendMessage'>;

export interface SendOptions {
  /**
   * The reqSeq of an earlier attempt to send the same message. The message must have the `createdTime` of that attempt.
   * If the server stored that attempt, the send returns the result of that attempt.
   */
  readonly reqSeq?: number;
}

/**
 * The part of a client that Letter Sealing builds on: everything except media, which themselves need Letter Sealing.
 */
export interface BaseClient extends Services {
  /** The current session; undefined before login and after the session ended. */
  readonly session: Session | undefined;
  /** Logs in with a user id, e-mail address or phone number, and a password. */
  login(credential: Credential): Promise<Session>;
  /**
   * Logs in by a QR code that a logged-in device scans. Yields each step when it happens; the last one, `done`, has the
   * session. Throws LoginError if the login is refused or nobody confirms it.
   */
  loginByQr(options?: QrLoginOptions): AsyncGenerator<QrLoginStep, void, undefined>;
  /** The HTTP endpoints of the contract that are not RPC methods. */
  readonly http: HttpCalls;
  /** Access tokens for channels, such as the timeline. */
  readonly channels: Channels;
  /** The logins that wait for a confirmation by this device, and the sessions of the account. */
  readonly devices: Devices;
  /** Changes of the account itself: its password, its identifiers, its deletion. */
  readonly ownAccount: OwnAccount;
  /** The keys of the accounts that log in with this client; kept in memory if the options name no key store. */
  readonly keyStore: KeyStore;
  /** Checks keys, shows safety numbers, and remembers verified contacts. */
  readonly trust: Trust;
  /** The backup of the account's keys, for a user who has lost all devices. */
  readonly recovery: Recovery;
  /** Continues a session of an earlier run. */
  resume(session: Session): Promise<void>;
  /** Ends the session on the server, and deletes it on this device. */
  logout(): Promise<void>;
  /** Calls the listener when the session is renewed or ends. Returns the function that removes the listener. */
  onSession(listener: (event: SessionEvent) => void): () => void;
  /** Returns the next request sequence number: each is higher than the one before, at least 2, and fits an i32. */
  nextReqSeq(): number;
  /**
   * Sends a text message. Repeats the call with the same reqSeq after network failures, so that the message is stored
   * only once.
   */
  sendText(to: string, text: string): Promise<Message>;
  /** Sends any message, and repeats the call as `sendText` does. */
  send(message: OutgoingMessage, options?: SendOptions): Promise<Message>;
  /**
   * Yields the account's operations from a revision on, as they happen. An abort signal or `close` ends the iteration.
   */
  operations(options?: OperationsOptions): AsyncGenerator<StreamEvent, void, undefined>;
  /** Stops timers and streams. The session stays valid on the server; `logout` ends it. */
  close(): void;
}
