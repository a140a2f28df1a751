// Reads a request, recorded or repeated, as a call of an endpoint with arguments.
import { brandHeader } from '@sealpost/contract';
import { argsOf, endpointAt, splitPath } from '../wire/endpoints.ts';
import { type Header, headerOf } from '../wire/headers.ts';
import { isStruct } from '../wire/loose-json.ts';
import { secretField } from './secret-places.ts';
import type { RecordedBody, RecordedExchange } from './session-file.ts';

export interface RecordedCall {
  /** The name of the endpoint; verb and path if the contract has none. */
  readonly name: string;
  /** The arguments by name, or the body of an unknown endpoint. */
  readonly args: unknown;
  /** The arguments without the values that a client changes in every run: secrets, request numbers and times. */
  readonly lasting: unknown;
  readonly accessToken: string | undefined;
}

export interface CallParts {
  readonly verb: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** Returns the bytes of a recorded body; none if it was omitted. */
export const bodyBytes = ({ form, content }: RecordedBody): Buffer<ArrayBuffer> =>
  Buffer.from(content, form === 'base64' ? 'base64' : 'utf8');

export const partsOf = ({ verb, path, headers, body }: RecordedExchange): CallParts => ({
  verb,
  path,
  headers,
  body: bodyBytes(body),
});

export function callOf({ verb, path, headers, body }: CallParts, brand: string): RecordedCall {
  const found = endpointAt(path);
  const { bare, query } = splitPath(path);
  const args = (found && argsOf(found, path, body)) ?? {
    ...Object.fromEntries(query),
    body: Buffer.from(body).toString('latin1'),
  };
  const isRpc = found?.kind === 'method' && verb === 'POST';
  return {
    name: isRpc ? found.name : `${verb} ${found?.name ?? bare}`,
    args,
    lasting: lastingOf(args),
    accessToken: headerOf(headers, brandHeader(brand, 'access')),
  };
}

/**
 * Fields that a client fills with other values in every run: its request numbers, its clock, its cursor, and its own
 * ids of messages.
 */
const ANEW = /^(reqSeq|createdTime|localRev|lastPartialFullSyncs|lastTokenRefreshTime|retryCount)$/;

function lastingOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lastingOf);
  if (!isStruct(value)) return value;
  // Only a message has both `contentType` and `to`. Its id comes from the client's outbox, so it is new in every run.
  const isMessage = 'contentType' in value && 'to' in value;
  const kept = Object.entries(value).filter(([name]) => !ANEW.test(name) && !(isMessage && name === 'id'));
  return Object.fromEntries(
    kept.map(([name, item]) => {
      const role = secretField(name);
      return [name, role && typeof item !== 'object' ? `<${role}>` : lastingOf(item)];
    }),
  );
}
