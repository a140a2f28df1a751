// Merkle trees of RFC 9162, section 2.1. Leaves and inner nodes are hashed under different first bytes, so that no node
// can be passed off as a leaf. Trees are hashed synchronously, because WebCrypto's digest takes several times as long
// for so few bytes. The imported package contains only SHA-256, so a page that checks keys loads no other hash.
import { hash as sha256 } from '@stablelib/sha256';
import { type Bytes, concat } from '../bytes.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (data: Uint8Array): Bytes => hash(concat(LEAF, data));

export const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes => hash(concat(NODE, left, right));

/** Returns the root of a tree without leaves. */
export const emptyRoot = (): Bytes => hash(new Uint8Array());

const hash = (data: Bytes): Bytes => new Uint8Array(sha256(data));
