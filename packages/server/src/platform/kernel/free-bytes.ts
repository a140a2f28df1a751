/**
 * Gives the memory of a buffer that nobody needs any more back at once; it is empty then. Otherwise it waits for the
 * garbage collector, which looks through the whole heap for every 64 MB of buffers.
 */
export function freeBytes({ buffer, byteLength }: Buffer): void {
  // One that shares its memory with others is left alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
