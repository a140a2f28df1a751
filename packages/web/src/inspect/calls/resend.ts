// Sends a call again, with or without changes. The page signs the new call, as a client does.
import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { fromBase64, signRequest } from '@sealpost/crypto';

/** The X-Hmac header of the new call: newly computed, copied from the old call, or left out. */
export type Signing = 'anew' | 'as it was' | 'none';

export interface Draft {
  readonly verb: string;
  readonly path: string;
  readonly body: string;
  readonly bodyForm: CallRecord['bodyForm'];
  /** The headers that belong to the call. Headers of the connection and the signature are left out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly accessToken: string;
  readonly version: string;
  readonly buildToken: string;
  readonly signing: Signing;
  readonly givenSignature: string | undefined;
}

/** Headers that the browser sets itself, or that belong to the old connection. */
const OF_BROWSER =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|upgrade|te|cookie|origin|referer|user-agent|accept-encoding|dnt|sec-.*|proxy-.*)$/i;

/** Returns a call in the form in which it can be edited and sent again. */
export function draftOf(
  record: CallRecord,
  { brand, buildToken }: { readonly brand: string; readonly buildToken: string },
): Draft {
  const { verb, path, body, bodyForm, headers } = record;
  const header = (name: string): string | undefined =>
    headers.find(([own]) => own?.toLowerCase() === name.toLowerCase())?.[1];
  const access = brandHeader(brand, 'access');
  const own = [access, plainHeaders.hmac.name, 'x-dev-tag'].map((name) => name.toLowerCase());
  return {
    ...{ verb, path, body, bodyForm, buildToken, signing: 'anew' },
    headers: headers.flatMap(([name = '', value = '']) =>
      OF_BROWSER.test(name) || own.includes(name.toLowerCase()) ? [] : [[name, value] as const],
    ),
    accessToken: header(access) ?? '',
    version:
      header(brandHeader(brand, 'clientVersion')) ?? header(brandHeader(brand, 'chromeVersion')) ?? clientVersion,
    givenSignature: header(plainHeaders.hmac.name),
  };
}

async function signatureOf(draft: Draft, body: string | Uint8Array): Promise<string | undefined> {
  if (draft.signing === 'none') return undefined;
  return draft.signing === 'anew' ? signRequest({ ...draft, body }) : draft.givenSignature;
}

let sent = 0;

/**
 * Sends a call. Returns the tag with which the list of calls shows it. The answer appears in that list, so this
 * function does not wait for it.
 */
export async function sendDraft(draft: Draft, brand: string): Promise<string> {
  const { verb, path, bodyForm, accessToken, headers } = draft;
  const body = bodyForm === 'base64' ? fromBase64(draft.body) : draft.body;
  const signature = await signatureOf(draft, body);
  sent += 1;
  const tag = `resent ${Date.now().toString(36)}-${sent}`;
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  if (accessToken !== '') all.set(brandHeader(brand, 'access'), accessToken);
  if (signature !== undefined) all.set(plainHeaders.hmac.name, signature);
  all.set('X-Dev-Tag', tag);
  const hasBody = body.length > 0 && verb !== 'GET' && verb !== 'HEAD';
  const answered = async (): Promise<void> => {
    const answer = await fetch(path, { method: verb, headers: all, credentials: 'omit', ...(hasBody && { body }) });
    // A stream never ends by itself, and the list of calls already has the interesting part of the answer.
    if (answer.headers.get('content-type')?.includes('event-stream')) await answer.body?.cancel();
    else await answer.arrayBuffer();
  };
  // Errors are ignored here, because the list of calls shows them.
  answered().catch(() => undefined);
  return tag;
}
