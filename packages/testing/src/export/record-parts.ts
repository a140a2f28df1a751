// The parts of a recorded call, as curl, code and archives need them.
import type { CallRecord } from '@sealpost/contract/workbench';
import { type Header, headerOf } from '../wire/headers.ts';

export interface Destination {
  /** The address of the server, without a path. Default: `http://` and the header Host of the call. */
  readonly url?: string;
}

/** Returns the address to which a call went, without its path. */
export const originOf = ({ headers }: Pick<CallRecord, 'headers'>, { url }: Destination): string =>
  (url ?? `http://${headerOf(headers, 'Host') ?? '127.0.0.1:8787'}`).replace(/\/+$/, '');

/** Headers that every HTTP client sets by itself, for its own connection. */
const OF_CONNECTION = /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|upgrade|te)$/i;

/** Returns the headers that must be sent to repeat a call. */
export const ownHeaders = (headers: readonly Header[]): (readonly [name: string, value: string])[] =>
  headers.flatMap(([name = '', value = '']) => (OF_CONNECTION.test(name) ? [] : [[name, value] as const]));

/** Returns how many bytes of a body were kept. The body itself may have been longer. */
export function keptBytes(body: string, form: CallRecord['bodyForm']): number {
  return form === 'text' ? new TextEncoder().encode(body).length : atob(body).length;
}
