// Finds the name of the error in an answer of the gateway.
import { type ErrorEntry, type ErrorName, errors } from './errors.ts';

/** The parts of a refused call's body that identify the error. */
export interface ErrorAnswer {
  readonly code?: number;
  readonly data?: { readonly name?: unknown; readonly code?: unknown } | null | undefined;
}

const entries = Object.entries(errors) as [ErrorName, ErrorEntry][];
const keyOf = ({ exception, code }: ErrorEntry): string => `${exception}:${code}`;
const namesByCode = new Map(entries.map(([name, entry]) => [keyOf(entry), name]));
/**
 * The outer code of errors that repeat an HTTP status. They all have this code, so only the status tells them apart.
 */
const HTTP_MIRROR = errors.NOT_FOUND_PATH.code;
const namesByStatus = new Map(
  entries.filter(([, { code }]) => code === HTTP_MIRROR).map(([name, { http }]) => [http, name]),
);

/** Returns the name of the error in an answer; undefined if the table of errors does not contain it. */
export function errorNameOf(http: number, { code, data }: ErrorAnswer): ErrorName | undefined {
  if (data?.name !== undefined) return namesByCode.get(`${data.name}:${data.code}`);
  return code === HTTP_MIRROR ? namesByStatus.get(http) : namesByCode.get(`gateway:${code}`);
}
