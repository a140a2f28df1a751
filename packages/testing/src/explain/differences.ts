// Describes the first place at which two values differ.

type Value = string | Buffer;

const bytesOf = (value: Value): Buffer => (typeof value === 'string' ? Buffer.from(value) : value);

/**
 * Describes the first byte in which the server's value and the client's value differ.
 * @param secret true if the bytes themselves must not be shown
 */
export function firstDifference(what: string, server: Value, client: Value, secret = false): string {
  const [own, theirs] = [bytesOf(server), bytesOf(client)];
  let at = 0;
  while (at < own.length && at < theirs.length && own[at] === theirs[at]) at += 1;
  const place = `byte ${at + 1} of the ${what}`;
  if (secret) return `${place} differs: the server has ${own.length} bytes, the client signed ${theirs.length}`;
  return `${place}: the server has ${byteText(own, at)}, the client signed ${byteText(theirs, at)}`;
}

const SHOWN = 12;

/** Returns a text that shows the byte at a position and the bytes after it. */
function byteText(bytes: Buffer, at: number): string {
  const byte = bytes[at];
  if (byte === undefined) return 'nothing more';
  const following = bytes.subarray(at, at + SHOWN).toString('latin1');
  return `0x${byte.toString(16).padStart(2, '0')}, ${JSON.stringify(following)}`;
}
