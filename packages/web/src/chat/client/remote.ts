// Connects a page to the engine: sends calls by name, and receives events. Calls wait while no tab runs the engine.

import type { Client } from '@sealpost/sdk';
import { withCause } from './causes.ts';
import type { ArchiveVerbs } from './engine-archive.ts';
import type { KeyVerbs } from './engine-keys.ts';
import type { createDownloads } from './engine-media.ts';
import type { SearchVerbs } from './engine-verbs.ts';
import {
  type Answer,
  type CallErrorFields,
  CHANNEL,
  type EngineEvent,
  type RemoteClient,
  type Remote as RemoteVerbs,
  type Request,
  type Said,
  type Snapshot,
} from './protocol.ts';

/** The error of a call that failed in the engine, with the fields of the SDK's error. */
export class CallError extends Error {
  readonly fields: CallErrorFields['fields'];

  constructor({ name, message, fields }: CallErrorFields) {
    super(message);
    this.name = name;
    this.fields = fields;
  }
}

type Downloads = ReturnType<typeof createDownloads>;

/** The verbs of the engine that are not verbs of the SDK's client. */
export interface EngineVerbs extends RemoteVerbs<KeyVerbs> {
  snapshot(): Promise<Snapshot>;
  login(identifier: string, password: string): Promise<void>;
  loginByQr(): Promise<void>;
  keysFromDevice(): Promise<boolean>;
  cancelLogin(): Promise<void>;
  logout(): Promise<void>;
  deleteAccount(password: string): Promise<void>;
  mediaBlob: Downloads['mediaBlob'];
  cancelMedia(messageId: string): Promise<void>;
  ownKey(): ReturnType<Client['sealing']['ownKey']>;
  limits(): ReturnType<Client['limits']>;
}

export interface Remote extends RemoteClient {
  readonly archive: RemoteVerbs<ArchiveVerbs>;
  readonly engine: EngineVerbs;
  readonly search: RemoteVerbs<SearchVerbs>;
}

/**
 * Calls without an answer that may be sent again to a new engine after the tab with the old engine was closed. All
 * other calls fail in this case.
 */
const REPEATABLE =
  /^(engine\.(snapshot|limits|ownKey|mediaBlob)|messaging\.queue\w*|replica\.\w+|search\.\w+|media\.\w+|[\w.]+\.(get|all|mids|pending|sessions|status))$/;

interface Call {
  readonly request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface EngineLine {
  readonly remote: Remote;
  onEvent(listener: (event: EngineEvent) => void): () => void;
}

export function connectEngine(page: string): EngineLine {
  const channel = new BroadcastChannel(CHANNEL);
  const calls = new Map<number, Call>();
  const listeners = new Set<(event: EngineEvent) => void>();
  let last = 0;

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'answer') settle(data);
    else if (data.kind !== 'call') {
      if (data.kind === 'leads') repeatCalls();
      for (const listener of listeners) listener(data);
    }
  };

  function settle(answer: Answer): void {
    if (answer.page !== page) return;
    const call = calls.get(answer.id);
    calls.delete(answer.id);
    if (answer.error) call?.reject(new CallError(answer.error));
    else call?.resolve(answer.value);
  }

  /** Sends unanswered calls again to a new engine, or lets them fail if repeating them could do harm. */
  function repeatCalls(): void {
    for (const [id, { request, reject }] of calls) {
      if (REPEATABLE.test(request.path)) channel.postMessage(request);
      else {
        calls.delete(id);
        reject(new CallError({ name: 'EngineGone', message: 'The tab that did this was closed.', fields: {} }));
      }
    }
  }

  async function call(path: string, given: readonly unknown[]): Promise<unknown> {
    const id = ++last;
    const caused = withCause(path, given, `${page} ${id}`);
    const answer = await ask({ kind: 'call', page, id, path, args: caused?.args ?? given });
    // The call has been answered and will not be repeated, so the engine can forget its cause.
    if (caused) call('outbox.forget', [caused.cause]).catch(() => undefined);
    return answer;
  }

  function ask(request: Request): Promise<unknown> {
    const { id } = request;
    return new Promise((resolve, reject) => {
      calls.set(id, { request, resolve, reject });
      channel.postMessage(request);
    });
  }

  const proxied = (path: string): unknown =>
    new Proxy(() => {}, {
      get: (_, name) =>
        typeof name === 'string' && name !== 'then' ? proxied(path ? `${path}.${name}` : name) : undefined,
      apply: (_, _this, args: readonly unknown[]) => call(path, args),
    });

  return {
    remote: proxied('') as Remote,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
