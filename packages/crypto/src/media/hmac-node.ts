// The same as hmac.ts where Node runs: its hash is about nine times faster.
import { createHmac as nodeHmac } from 'node:crypto';
import type { StreamingHmac } from './hmac.ts';

export const createHmac = (key: Uint8Array): StreamingHmac => nodeHmac('sha256', key);
