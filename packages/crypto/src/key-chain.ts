// The key chain: every key pair of an account, in the form in which one device sends it to another.
import { type Bytes, equal } from './bytes.ts';
import { CompactReader, CompactWriter, thriftTypes } from './thrift-compact.ts';
import { KEY_LENGTH, type KeyPair, publicKeyOf } from './x25519.ts';

export interface KeyChainEntry extends KeyPair {
  readonly version: number;
  /** The id that the server gave to the public key. */
  readonly keyId: number;
  /** Epoch milliseconds. */
  readonly createdTime: number;
}

/** Encodes a key chain. The newest key comes first, because some clients read only the first. */
export function encodeKeyChain(entries: readonly KeyChainEntry[]): Bytes {
  const writer = new CompactWriter();
  const newestFirst = entries.toSorted((a, b) => b.keyId - a.keyId);
  writer.struct(() => {
    writer.field(1, thriftTypes.LIST);
    writer.list(thriftTypes.STRUCT, newestFirst.length);
    for (const entry of newestFirst) writeEntry(writer, entry);
  });
  return writer.finish();
}

function writeEntry(writer: CompactWriter, entry: KeyChainEntry): void {
  writer.struct(() => {
    writer.field(1, thriftTypes.I32);
    writer.integer(entry.version);
    writer.field(2, thriftTypes.I32);
    writer.integer(entry.keyId);
    writer.field(4, thriftTypes.BINARY);
    writer.binary(entry.publicKey);
    writer.field(5, thriftTypes.BINARY);
    writer.binary(entry.privateKey);
    writer.field(6, thriftTypes.I64);
    writer.integer(entry.createdTime);
  });
}

/**
 * Reads a key chain, and ignores unknown fields and trailing bytes. Throws if it holds anything that is not a key pair.
 */
export function decodeKeyChain(bytes: Uint8Array): KeyChainEntry[] {
  const reader = new CompactReader(bytes);
  const entries: KeyChainEntry[] = [];
  reader.struct((id, type) => {
    if (id !== 1 || type !== thriftTypes.LIST) return false;
    const { elementType, size } = reader.list();
    if (size > 0 && elementType !== thriftTypes.STRUCT) throw new RangeError('the key chain is not a list of structs');
    for (let n = 0; n < size; n++) entries.push(readEntry(reader));
    return true;
  });
  return entries;
}

function readEntry(reader: CompactReader): KeyChainEntry {
  const numbers = new Map<number, number>();
  const binaries = new Map<number, Bytes>();
  reader.struct((id, type) => {
    if (type === thriftTypes.I32 || type === thriftTypes.I64) numbers.set(id, reader.integer());
    else if (type === thriftTypes.BINARY) binaries.set(id, reader.binary());
    else return false;
    return true;
  });
  const [version = 1, keyId, createdTime = 0] = [numbers.get(1), numbers.get(2), numbers.get(6)];
  const [publicKey, privateKey] = [binaries.get(4), binaries.get(5)];
  if (keyId === undefined || publicKey?.length !== KEY_LENGTH || privateKey?.length !== KEY_LENGTH) {
    throw new RangeError('an entry of the key chain has no key id or no key pair');
  }
  if (!equal(publicKeyOf(privateKey), publicKey)) {
    throw new RangeError(`the private key of key ${keyId} does not belong to its public key`);
  }
  return { version, keyId, publicKey, privateKey, createdTime };
}
