/**
 * Releases the memory of a buffer that nobody needs any more; the buffer is empty afterwards. If such buffers are left
 * to the garbage collector, every 64 MB of them make it look through the whole heap.
 */
export function freeBytes({ buffer, byteLength }: Buffer): void {
  // A buffer that shares its memory with other buffers is left alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
