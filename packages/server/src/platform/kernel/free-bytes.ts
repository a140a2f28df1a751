/**
 * Releases the memory of a buffer that nobody needs any more; the buffer is empty afterwards. The garbage collector
 * would look through the whole heap for every 64 MB of buffers.
 */
export function freeBytes({ buffer, byteLength }: Buffer): void {
  // A buffer that shares its memory with others is left alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
