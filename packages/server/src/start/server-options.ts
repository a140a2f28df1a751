// What a caller may give to a new server beside its settings.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { CallWatch } from '../platform/rpc/call-watch.ts';
import type { Emitted } from '../platform/rpc/strict-contract.ts';
import type { Adapters } from './adapters.ts';
import type { Siblings } from './processes/siblings.ts';
import type { Slices } from './slices.ts';

export interface ServerOptions {
  readonly ports?: Partial<ServerPorts>;
  readonly logger?: Logger;
  /**
   * Turns on strict mode, for tests: if the server breaks the contract in a call, the call fails. The function gets the
   * operations of each call that keeps the contract.
   */
  readonly strictContract?: (appended: Emitted) => void;
  /** The parts that only servers for tests and development have. They see calls and serve further paths. */
  readonly workbench?: Workbench;
  /** The other processes of this server. They share its address and its data folder, which a supervisor announces. */
  readonly siblings?: Siblings;
  readonly onFatal?: (error: Error) => void;
  /** Runs before the first request is accepted. */
  readonly prepare?: (slices: Slices) => Promise<void>;
  /** Runs once the port is known, before the server is announced as ready. */
  readonly onListening?: (port: number) => void;
  /** The adapters to use. If absent, the settings choose them. */
  readonly adapters?: Adapters;
}

/** The additional parts of a server for tests and development. */
export interface Workbench {
  /** Sees every call of the protocol. */
  readonly watch: CallWatch;
  /** Serves a request for a path of the workbench and returns true; returns false for any other request. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => boolean;
  /**
   * Takes the function that serves each request. Returns an HTTP server that is already listening; undefined if there
   * is none yet.
   */
  readonly httpFor: (listener: RequestListener) => Server | undefined;
}
