// Reads the header X-Obs-Params, in which a client describes the object that it uploads: base64 of JSON.
import { ApiError } from '@sealpost/contract';
import { ObjectParameters } from '@sealpost/contract/schemas';
import { Compile } from 'typebox/compile';
import { onFirstUse } from '../../platform/kernel/on-first-use.ts';
import { unstorable, unstorableIn } from '../../platform/kernel/storable-text.ts';

const validator = onFirstUse(() => Compile(ObjectParameters));

/**
 * Returns the parameters; an empty object without the header.
 * @throws OBJECT_REQUEST if the header is invalid
 */
export function readObjectParams(header: string | undefined): ObjectParameters {
  if (header === undefined || header === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    throw new ApiError('OBJECT_REQUEST', 'X-Obs-Params is not base64 of JSON');
  }
  const path = unstorableIn(value, 'X-Obs-Params');
  if (path !== undefined) throw new ApiError('OBJECT_REQUEST', unstorable(path));
  if (validator().Check(value)) return value;
  const [first] = validator().Errors(value);
  throw new ApiError(
    'OBJECT_REQUEST',
    `X-Obs-Params: ${first?.instancePath ?? ''} ${first?.message ?? 'is malformed'}`,
  );
}
