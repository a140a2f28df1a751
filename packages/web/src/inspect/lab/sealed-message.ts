// Reads a sealed message that the user pasted: its five chunks, a message, an operation, or a test vector.

export interface LabMessage {
  readonly chunks: readonly string[];
  readonly to: string;
  readonly from: string;
  readonly contentType: number;
  /** The value of contentMetadata.e2eeVersion, if there is one. */
  readonly mark: string | undefined;
}

/** Returns whether a message was sent to a group or room. Such a message is sealed with a group key. */
export const isGroup = ({ to }: LabMessage): boolean => /^[cr]/.test(to);

/** The pasted message. A test vector also contains the keys. */
export interface Pasted {
  readonly message: LabMessage;
  readonly keys?: { readonly privateKey: string; readonly publicKey: string };
}

type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** @throws Error that says what is missing */
export function readPasted(pasted: string): Pasted {
  let value: unknown;
  try {
    value = JSON.parse(pasted);
  } catch {
    throw new Error('This is not JSON. Paste the five chunks as a list, or the whole message.');
  }
  if (isTexts(value)) return { message: { chunks: value, to: '', from: '', contentType: 0, mark: undefined } };
  const found = isFields(value) ? messageIn(value) : undefined;
  if (!found) throw new Error('There is no list of chunks in it. A sealed message has five texts in `chunks`.');
  return found;
}

function messageIn(value: Fields): Pasted | undefined {
  if (!isTexts(value.chunks)) return isFields(value.message) ? messageIn(value.message) : undefined;
  const metadata = isFields(value.contentMetadata) ? value.contentMetadata : {};
  const mark = metadata.e2eeVersion ?? value.version;
  const message = {
    chunks: value.chunks,
    to: text(value.to),
    from: text(value.from),
    contentType: typeof value.contentType === 'number' ? value.contentType : 0,
    mark: mark === undefined ? undefined : String(mark),
  };
  const [privateKey, publicKey] = [text(value.receiverPrivateKey), text(value.senderPublicKey)];
  return { message, ...(privateKey !== '' && publicKey !== '' && { keys: { privateKey, publicKey } }) };
}

/** Returns the sealed message in an operation; undefined if it has none. */
export function sealedIn(operation: unknown): LabMessage | undefined {
  return isFields(operation) && isFields(operation.message) ? messageIn(operation.message)?.message : undefined;
}
