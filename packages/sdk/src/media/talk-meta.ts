// The header that names the message of an object (specification: Object storage). Its value is JSON in base64. The JSON
// has a Thrift struct in base64: the message id is field 4, an empty list is field 27.
import { toBase64 } from '@sealpost/crypto';

const ID_FIELD = [0x0b, 0, 4];
const EMPTY_LIST_AND_STOP = [0x0f, 0, 0x1b, 0x0c, 0, 0, 0, 0, 0];

export function talkMeta(messageId: string): string {
  const id = new TextEncoder().encode(messageId);
  const message = toBase64(Uint8Array.from([...ID_FIELD, 0, 0, 0, id.length, ...id, ...EMPTY_LIST_AND_STOP]));
  return toBase64(new TextEncoder().encode(JSON.stringify({ message })));
}
