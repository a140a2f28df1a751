import type { MethodArgs, MethodResult } from '@sealpost/contract';
import type { Devices } from './devices.ts';
import type { Services } from './gateway/calls.ts';
import type { Session, SessionEvent } from './gateway/session.ts';
import type { Recovery } from './key-backup/recovery.ts';
import type { KeyStore } from './key-store/key-store.ts';
import type { Credential } from './login/login.ts';
import type { QrLoginOptions, QrLoginStep } from './login/qr-login.ts';
import type { OperationsOptions, StreamEvent } from './operations.ts';
import type { Trust } from './trust/trust.ts';

export type OutgoingMessage = MethodArgs<'TalkService.sendMessage'>[1];
export type Message = MethodResult<'TalkService.sendMessage'>;

export interface SendOptions {
  /** Of an earlier try at the same message, `createdTime` included: if that one was taken, its result is answered. */
  readonly reqSeq?: number;
}

/** A client as Letter Sealing builds on it: all of it but media, which are built on Letter Sealing. */
export interface BaseClient extends Services {
  /** The session as it is now; undefined before login and after the session ended. */
  readonly session: Session | undefined;
  /** Logs in with user id, e-mail address or phone number and password. */
  login(credential: Credential): Promise<Session>;
  /**
   * Logs in by a QR code that a logged-in device scans. Each step is answered as it happens; the session is there with
   * the last one, `done`. Throws LoginError if the login is refused or nobody confirms it.
   */
  loginByQr(options?: QrLoginOptions): AsyncGenerator<QrLoginStep, void, undefined>;
  /** Logins that wait for this device, and the sessions of the account. */
  readonly devices: Devices;
  /** Keys of the accounts that log in here; in memory if none was given. */
  readonly keyStore: KeyStore;
  /** Checks of keys, safety numbers and the marks of verified contacts. */
  readonly trust: Trust;
  /** The backup of the account's keys, for the day on which all devices are lost. */
  readonly recovery: Recovery;
  /** Ends the session on the server and forgets it. */
  logout(): Promise<void>;
  /** Told of renewals and of the end of the session; answers the function that stops it. */
  onSession(listener: (event: SessionEvent) => void): () => void;
  /** Next request sequence number: rising, at least 2, within an i32. */
  nextReqSeq(): number;
  /** Sends a text. Repeats after network failures under the same reqSeq, so that it arrives once. */
  sendText(to: string, text: string): Promise<Message>;
  /** The same for any message. */
  send(message: OutgoingMessage, options?: SendOptions): Promise<Message>;
  /** The account's operations as they happen, from a revision on. Stop it with a signal, or with `close`. */
  operations(options?: OperationsOptions): AsyncGenerator<StreamEvent, void, undefined>;
  /** Stops timers and streams. The session lives on; log out to end it. */
  close(): void;
}
