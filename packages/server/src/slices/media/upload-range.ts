// Reads the Range header of an upload: `bytes <offset>-<last>/<size>`, also with `=` after `bytes`.
import { ApiError } from '@sealpost/contract';

export interface UploadRange {
  readonly first: number;
  readonly last: number;
  /** Size of the whole object in bytes. */
  readonly size: number;
}

const FORM = /^bytes[ =](\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/**
 * Returns the range that the header names; undefined without a header.
 * @throws OBJECT_REQUEST if the header is malformed, RANGE_NOT_SATISFIABLE if the range does not fit the size
 */
export function readUploadRange(header: string | undefined): UploadRange | undefined {
  if (header === undefined) return undefined;
  const match = FORM.exec(header);
  if (!match)
    throw new ApiError(
      'OBJECT_REQUEST',
      `Range is ${JSON.stringify(header.slice(0, 80))}, not bytes <offset>-<last>/<size>`,
    );
  const [first, last, size] = match.slice(1).map(Number) as [number, number, number];
  if (first > last || last >= size)
    throw new ApiError('RANGE_NOT_SATISFIABLE', `Range ${header} is not a part of an object of ${size} bytes`);
  return { first, last, size };
}

/**
 * Throws if the body's length contradicts its range. If the range reaches the object's end, the body may be shorter:
 * the client then sends the rest in further requests.
 * @throws OBJECT_REQUEST
 */
export function requireFitting({ first, last, size }: UploadRange, length: number | undefined): void {
  const span = last - first + 1;
  if (length === undefined || length === span || (length < span && last === size - 1)) return;
  throw new ApiError('OBJECT_REQUEST', `the body has ${length} bytes, Range names ${span}`);
}
