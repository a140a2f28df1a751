// Reads the header X-Talk-Meta, which names the message that carries an object. The header is base64 of `{"message":
// base64 of a serialized message}`. Field 4 of the serialized message is its id.
import { ApiError } from '@sealpost/contract';

const STRING = 0x0b;
const ID_FIELD = 4;
/** Number of bytes before the id: field type, field number and length of the text. */
const FIELD_HEAD = 7;
const ID = /^\d{1,16}$/;

/**
 * Returns the message id in the header; undefined without a header.
 * @throws OBJECT_REQUEST if the header cannot be read
 */
export function messageIdOfTalkMeta(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  const id = readId(messageBytes(header));
  if (id === undefined) throw new ApiError('OBJECT_REQUEST', 'X-Talk-Meta is not a serialized message with an id');
  return id;
}

/**
 * Returns the serialized message; empty if the header is malformed. Node's decoder also accepts base64url and missing
 * padding, which some clients send.
 */
function messageBytes(header: string): Buffer {
  try {
    const { message } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as { message?: unknown };
    return typeof message === 'string' ? Buffer.from(message, 'base64') : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

function readId(bytes: Buffer): number | undefined {
  if (bytes.length < FIELD_HEAD || bytes.readUInt8(0) !== STRING || bytes.readUInt16BE(1) !== ID_FIELD)
    return undefined;
  const length = bytes.readUInt32BE(3);
  if (FIELD_HEAD + length > bytes.length) return undefined;
  const text = bytes.toString('latin1', FIELD_HEAD, FIELD_HEAD + length);
  return ID.test(text) ? Number(text) : undefined;
}
