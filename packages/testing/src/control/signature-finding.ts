// Finds out why the signature of a refused call is wrong.
import { brandHeader, type ErrorName } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { headerOf, type LiveCall, recordOf } from '../calls/call-log.ts';
import { explainSignature } from '../explain/index.ts';
import type { Workbench } from '../server/workbench.ts';

const REFUSED: ErrorName = 'REQUEST_INVALID_HMAC';
/** Maximum number of access tokens of other calls that are tried. The newest are tried first. */
const TRIED_TOKENS = 50;

/** Returns everything about a call. If the call was refused for its signature, the result includes the likely cause. */
export function withFinding({ config, server, calls }: Workbench, call: LiveCall): CallRecord {
  const record = recordOf(call);
  // Only the beginning of a long body is kept. Without the whole body, the signature cannot be checked.
  if (record.error?.name !== REFUSED || call.body.length < call.bodyBytes) return record;
  const access = brandHeader(config.headerBrand, 'access').toLowerCase();
  const tokens = [...calls.all()].reverse().flatMap((other) => headerOf(other, access) ?? []);
  const { verb, path, headers, body } = call;
  const signature = explainSignature(
    { verb, path, headers, body },
    {
      buildTokens: config.buildTokens,
      brand: config.headerBrand,
      urls: [server.url],
      earlierAccessTokens: [...new Set(tokens)].slice(0, TRIED_TOKENS),
    },
  );
  return { ...record, signature };
}
