// The part of the Thrift compact protocol that encodes key chains.

export const thriftTypes = { I32: 5, I64: 6, BINARY: 8, LIST: 9, STRUCT: 12 } as const;

const STOP = 0;
const SHORT_LIST = 15;
const MAX_DEPTH = 16;

/** A writer. The caller must write the fields of a struct in ascending order of id. */
export class CompactWriter {
  readonly #bytes: number[] = [];
  #lastField = 0;

  field(id: number, type: number): void {
    this.#bytes.push(((id - this.#lastField) << 4) | type);
    this.#lastField = id;
  }

  list(elementType: number, size: number): void {
    if (size < SHORT_LIST) this.#bytes.push((size << 4) | elementType);
    else {
      this.#bytes.push((SHORT_LIST << 4) | elementType);
      this.#varint(BigInt(size));
    }
  }

  integer(value: number): void {
    const wide = BigInt(value);
    this.#varint(wide < 0n ? -wide * 2n - 1n : wide * 2n);
  }

  binary(value: Uint8Array): void {
    this.#varint(BigInt(value.length));
    this.#bytes.push(...value);
  }

  /**
   * Writes one struct, with the fields that `write` writes. Inside the struct, field ids start again from the lowest.
   */
  struct(write: () => void): void {
    const outer = this.#lastField;
    this.#lastField = 0;
    write();
    this.#bytes.push(STOP);
    this.#lastField = outer;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }

  #varint(value: bigint): void {
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes.push(Number(rest & 0x7fn) | 0x80);
    this.#bytes.push(Number(rest));
  }
}

/** A reader for bytes that other implementations may have written. Throws RangeError if the bytes are not a struct. */
export class CompactReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Passes every field to `read`, which returns whether it has read the value. A value that `read` has not read is
   * skipped.
   */
  struct(read: (id: number, type: number) => boolean): void {
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if (head === STOP) return;
      const delta = head >> 4;
      id = delta === 0 ? this.integer() : id + delta;
      const type = head & 0x0f;
      if (!read(id, type)) this.#skip(type, 0);
    }
  }

  list(): { elementType: number; size: number } {
    const head = this.#byte();
    const short = head >> 4;
    const size = short === SHORT_LIST ? Number(this.#varint()) : short;
    if (size > this.#bytes.length) throw new RangeError(`a list of ${size} elements is longer than the bytes it is in`);
    return { elementType: head & 0x0f, size };
  }

  integer(): number {
    const value = this.#varint();
    return Number(value & 1n ? -(value >> 1n) - 1n : value >> 1n);
  }

  binary(): Uint8Array<ArrayBuffer> {
    return this.#take(Number(this.#varint()));
  }

  #skip(type: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new RangeError('structs are nested too deep');
    if (type === 1 || type === 2) return;
    if (type === 3) this.#take(1);
    else if (type <= thriftTypes.I64 && type >= 4) this.#varint();
    else if (type === 7) this.#take(8);
    else if (type === thriftTypes.BINARY) this.binary();
    else if (type === thriftTypes.LIST || type === 10) this.#skipList(depth);
    else if (type === 11) this.#skipMap(depth);
    else if (type === thriftTypes.STRUCT) this.#skipStruct(depth);
    else throw new RangeError(`type ${type} is not one of the compact protocol`);
  }

  #skipList(depth: number): void {
    const { elementType, size } = this.list();
    for (let n = 0; n < size; n++) this.#skipElement(elementType, depth + 1);
  }

  #skipMap(depth: number): void {
    const size = Number(this.#varint());
    if (size > this.#bytes.length) throw new RangeError(`a map of ${size} entries is longer than the bytes it is in`);
    const types = size === 0 ? 0 : this.#byte();
    for (let n = 0; n < size; n++) {
      this.#skipElement(types >> 4, depth + 1);
      this.#skipElement(types & 0x0f, depth + 1);
    }
  }

  #skipStruct(depth: number): void {
    for (;;) {
      const head = this.#byte();
      if (head === STOP) return;
      if (head >> 4 === 0) this.#varint();
      this.#skip(head & 0x0f, depth + 1);
    }
  }

  /** Skips one element of a list. A boolean in a list occupies a byte; a boolean field does not. */
  #skipElement(type: number, depth: number): void {
    if (type === 1 || type === 2) this.#take(1);
    else this.#skip(type, depth);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number is longer than 64 bits');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('the bytes end in the middle of a struct');
    return byte;
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the bytes end in the middle of a struct');
    const taken = Uint8Array.from(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return taken;
  }
}
