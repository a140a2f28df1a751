// The messages between pages and the engine. The engine is the SDK's client in a worker. One tab of the browser runs it
// for all tabs: the tab that holds a lock.
import type { Contact, Profile, Settings } from '@sealpost/contract';
import type {
  ChatView,
  Client,
  DeviceNews,
  Outgoing,
  OwnKeyState,
  Session,
  StateChange,
  StoredMessage,
} from '@sealpost/sdk';
import type { ExportProgress } from '@sealpost/sdk/export';

export const CHANNEL = 'sealpost';
export const LOCK = 'sealpost-engine';

/** The facts about a server that it sends to its own pages. */
export interface ServerInfo {
  readonly version: string;
  readonly brand: string;
  readonly buildToken: string;
  /** Accounts for trying out the messenger, on a development server. */
  readonly accounts?: readonly { readonly userid: string; readonly password: string; readonly name: string }[];
}

/** A message that waits in the outbox, as a page shows it. */
export type Waiting = Pick<Outgoing, 'localId' | 'position' | 'chatMid' | 'content' | 'state' | 'failure'> & {
  readonly file?: Pick<NonNullable<Outgoing['file']>, 'kind' | 'name' | 'size' | 'preview' | 'duration'> | undefined;
};

/** The small parts of the engine's state that seldom change. They are sent to pages together. */
export interface Status {
  /** `starting`: the engine opens its store. `signed-out`: a login is needed. `failed`: `problem` says why. */
  readonly phase: 'starting' | 'signed-out' | 'open' | 'failed';
  readonly problem?: { readonly name: string; readonly message: string; readonly kind?: string };
  readonly session?: Pick<Session, 'mid'> | undefined;
  readonly connection: StateChange;
  readonly profile?: Profile | undefined;
  readonly settings?: Settings | undefined;
  readonly server?: ServerInfo;
  /**
   * The reason why the session ended, unless it was a logout in this browser. `revoked`: another device or the operator
   * has ended it. `expired`: the server does not know the session any more. `deleted`: the account was deleted, and
   * this browser has forgotten it.
   */
  readonly ended?: 'revoked' | 'expired' | 'deleted' | undefined;
  /** By how many milliseconds this device's clock is ahead of the server's; undefined if they roughly agree. */
  readonly clockAheadMs?: number | undefined;
  /** True if the browser had no free space when something was last stored. */
  readonly storageFull?: boolean;
  /** The archive of the account that this browser makes, or has made. */
  readonly archive?: ArchiveState | undefined;
}

/**
 * Why there is no archive. `no-server`: the server did not answer for some time. `no-room`: the browser is full.
 * `no-place`: this window may not keep files.
 */
export type ArchiveFailure = 'no-server' | 'no-room' | 'no-place' | 'other';

export type ArchiveState =
  | { readonly state: 'running'; readonly progress?: ExportProgress }
  | { readonly state: 'ready'; readonly bytes: number; readonly progress?: ExportProgress }
  | { readonly state: 'failed'; readonly reason: ArchiveFailure; readonly detail: string };

/** A warning about keys that a person must see. */
export interface Alarm {
  readonly id: string;
  /** The reason of the SDK's KeyTrustError, or `own-key-unknown`. */
  readonly reason: string;
  readonly mid?: string | undefined;
  readonly time: number;
  /** The exact details of the alarm, in English, for error reports. */
  readonly detail: string;
  readonly seen: boolean;
  /** True once the person has accepted what the alarm is about. */
  readonly accepted?: boolean;
}

/** The knowledge of this browser about keys: its own keys, and those of other people. */
export interface Trust {
  /**
   * The state of the account's key in this browser. `unknown`: the server could not be asked yet. The other values are
   * those of the SDK's `ownKey`.
   */
  readonly ownKey: 'unknown' | OwnKeyState['kind'];
  /** True while pages should offer a backup of the keys. The backup is offered only once. */
  readonly offersBackup: boolean;
  readonly alarms: readonly Alarm[];
  /** The times at which people got new keys, in epoch milliseconds by mid. */
  readonly keyChanges: Readonly<Record<string, readonly number[]>>;
}

/** The state that a page reads when it starts. */
export interface Snapshot {
  readonly status: Status;
  readonly chats: readonly ChatView[];
  readonly contacts: readonly Contact[];
  readonly outbox: readonly Waiting[];
  readonly trust?: Trust;
}

/** The changes that one commit to the replica made. */
export interface Changes {
  readonly chats: readonly ChatView[];
  /** The mids of chats that the account no longer has. */
  readonly goneChats: readonly string[];
  readonly contacts: readonly Contact[];
  readonly goneContacts: readonly string[];
  /** Changed messages, by chat. An id in place of a message means that this device no longer keeps the message. */
  readonly messages: Readonly<Record<string, readonly (StoredMessage | string)[]>>;
  readonly readers: readonly string[];
  readonly outbox?: readonly Waiting[];
}

/** A step of a login that is running. */
export type LoginStep =
  | { readonly kind: 'begun' }
  | { readonly kind: 'pin'; readonly pinCode: string; readonly words?: string | undefined }
  | { readonly kind: 'qr'; readonly url: string }
  | { readonly kind: 'scanned' }
  | { readonly kind: 'verified' };

/** News about devices, keys and trust that a person should see. */
export type Notice =
  | {
      readonly kind: 'device';
      readonly news: DeviceNews['kind'];
      readonly id: string;
      readonly about: DeviceNews['about'];
    }
  | { readonly kind: 'new-key'; readonly mid: string };

/** The progress of an upload or download. */
export interface Transfer {
  /** For an upload, the local id of the message that is being sent. For a download, the id of the message. */
  readonly id: string;
  /** The number of bytes transferred so far. If it equals `total`, the transfer has ended. */
  readonly done: number;
  readonly total: number;
}

export type EngineEvent =
  /** A new engine has started. A page with another build than `build` should be reloaded. */
  | { readonly kind: 'leads'; readonly build: string }
  /** Sent after a login or logout. Pages must read the whole state again. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'login'; readonly step: LoginStep }
  | { readonly kind: 'trust'; readonly trust: Trust }
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  | { readonly kind: 'notice'; readonly notice: Notice };

/** The topics of the SDK's client. Pages call their verbs (functions) by name. */
export type Topic =
  | 'messaging'
  | 'chats'
  | 'contacts'
  | 'profile'
  | 'stickers'
  | 'notices'
  | 'push'
  | 'reports'
  | 'devices'
  | 'ownAccount'
  | 'trust'
  | 'recovery'
  | 'outbox'
  | 'replica'
  | 'media';

type Verb = (...args: never[]) => unknown;
/** The verbs of a topic as a page sees them: all of them return promises. */
export type Remote<T> = {
  readonly [K in keyof T as T[K] extends Verb ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export type RemoteClient = { readonly [T in Topic]: Remote<Client[T]> } & {
  readonly profile: { readonly settings: Remote<Client['profile']['settings']> };
};

export type Request = {
  readonly kind: 'call';
  /** The id of the page that calls. The field `id` numbers the calls of a page. */
  readonly page: string;
  readonly id: number;
  readonly path: string;
  readonly args: readonly unknown[];
};

export type Answer = {
  readonly kind: 'answer';
  readonly page: string;
  readonly id: number;
  readonly value?: unknown;
  readonly error?: CallErrorFields;
};

/** An error of the SDK in a form that can be sent to a page. */
export interface CallErrorFields {
  readonly name: string;
  readonly message: string;
  /** The fields of the error that can be sent, for example `error` of a GatewayError, or `reason` of a SealingError. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Said = EngineEvent | Request | Answer;
