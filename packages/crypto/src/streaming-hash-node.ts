// Replaces streaming-hash.ts in Node, because Node's own hash is about nine times faster.
import { createHash, createHmac as nodeHmac } from 'node:crypto';
import type { StreamingHash } from './streaming-hash.ts';

export const createSha256 = (): StreamingHash => createHash('sha256');
export const createHmac = (key: Uint8Array): StreamingHash => nodeHmac('sha256', key);
