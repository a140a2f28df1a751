// Signs tree heads. Only the server that keeps the log does this.
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Bytes } from '../bytes.ts';
import { encodeTreeHead, type TreeHead } from './tree-head.ts';

/** @param privateKey 32 bytes that sign only tree heads */
export const signTreeHead = (head: TreeHead, privateKey: Uint8Array): Bytes =>
  new Uint8Array(ed25519.sign(encodeTreeHead(head), privateKey));

/** Returns the public half of a log's key. */
export const treeHeadPublicKey = (privateKey: Uint8Array): Bytes => new Uint8Array(ed25519.getPublicKey(privateKey));
