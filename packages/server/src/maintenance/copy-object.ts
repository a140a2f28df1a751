// Copies an object from one store to another, and makes sure that the copy is right.
import { createHash } from 'node:crypto';
import { type ObjectKey, ObjectMissing, type Objects } from '../platform/objects/objects.ts';

interface ObjectFacts {
  readonly size: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

/** The facts about an object that are known before it is read. */
export interface ExpectedObject {
  readonly key: ObjectKey;
  readonly size: number | null;
  readonly hash: string | null;
}

/** Error for an object whose bytes are not those that were stored. */
export class ObjectDamaged extends Error {
  override name = 'ObjectDamaged';
}

/** Reads a whole object, and returns its size and hash. @throws ObjectMissing */
export async function factsOf(objects: Objects, key: ObjectKey): Promise<ObjectFacts> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const piece of await objects.read(key)) {
    size += piece.length;
    digest.update(piece);
  }
  return { size, hash: digest.digest('hex') };
}

/** Returns how an object differs from what is expected; undefined if it is right. */
export function differenceOf({ size, hash }: ExpectedObject, found: ObjectFacts): string | undefined {
  if (size !== null && size !== found.size) return `it has ${found.size} bytes instead of ${size}`;
  if (hash !== null && hash !== found.hash) return 'its bytes were changed: the hash differs';
  return undefined;
}

/** Returns what is wrong with an object in a store; undefined if it is right. */
export async function problemOf(objects: Objects, expected: ExpectedObject): Promise<string | undefined> {
  try {
    return differenceOf(expected, await factsOf(objects, expected.key));
  } catch (error) {
    if (error instanceof ObjectMissing) return 'it is not there';
    throw error;
  }
}

/** Returns whether an object can be read, without reading all of it. */
export async function isPublished(objects: Objects, key: ObjectKey): Promise<boolean> {
  try {
    for await (const _ of await objects.read(key)) break;
    return true;
  } catch (error) {
    if (error instanceof ObjectMissing) return false;
    throw error;
  }
}

export interface CopyOptions {
  readonly from: Objects;
  readonly to: Objects;
  /** True if an object of the right size at the destination is not read again. */
  readonly trustExisting?: boolean;
}

/**
 * Copies an object, unless the right one is at the destination already. Reads the copy back.
 * @returns the facts of the object, and whether it was copied
 * @throws ObjectMissing, or ObjectDamaged if the source has other bytes than expected
 */
export async function copyObject(
  expected: ExpectedObject,
  { from, to, trustExisting = false }: CopyOptions,
): Promise<ObjectFacts & { readonly copied: boolean }> {
  const { key, size, hash } = expected;
  if (trustExisting && size !== null && hash !== null && (await hasSize(to, key, size)))
    return { size, hash, copied: false };
  const there = await factsOf(to, key).catch(unlessMissing);
  // If the expected hash is unknown, the object at the source tells the right hash.
  const right = there && hash === null ? { ...(await factsOf(from, key)), key } : expected;
  if (there && differenceOf(right, there) === undefined) return { ...there, copied: false };
  if (there) await to.remove(key);
  const sent = await append(expected, from, to);
  await to.publish(key);
  const copy = await factsOf(to, key);
  const difference = differenceOf({ key, ...sent }, copy);
  if (difference === undefined) return { ...copy, copied: true };
  throw new Error(`the copy of the object ${key} in ${to.location} is wrong: ${difference}. Is the disk sound?`);
}

/**
 * Does the same as `copyObject`, and takes the object out of quarantine if it is there. The server does that too when
 * somebody reads the object.
 */
export async function copyAlsoQuarantined(
  expected: ExpectedObject,
  options: CopyOptions,
): ReturnType<typeof copyObject> {
  try {
    return await copyObject(expected, options);
  } catch (error) {
    if (!(error instanceof ObjectMissing && (await options.from.bringBack(expected.key)))) throw error;
    return copyObject(expected, options);
  }
}

/** Writes the bytes of an object that the destination does not publish yet. */
async function append(expected: ExpectedObject, from: Objects, to: Objects): Promise<ObjectFacts> {
  const digest = createHash('sha256');
  let size = 0;
  async function* pieces(source: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
    for await (const piece of source) {
      size += piece.length;
      digest.update(piece);
      yield [piece];
    }
  }
  await to.append(expected.key, 0, pieces(await from.read(expected.key)));
  const sent = { size, hash: digest.digest('hex') };
  const difference = differenceOf(expected, sent);
  if (difference === undefined) return sent;
  await to.remove(expected.key);
  throw new ObjectDamaged(difference);
}

/** Returns whether a published object has at least this size. Objects are published whole. */
async function hasSize(objects: Objects, key: ObjectKey, size: number): Promise<boolean> {
  if (size === 0) return false;
  try {
    for await (const _ of await objects.read(key, { start: size - 1, end: size - 1 })) return true;
    return false;
  } catch {
    // Whatever is wrong with the object, it is copied again.
    return false;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ObjectMissing)) throw error;
}
