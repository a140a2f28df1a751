// The signer of heads, against the vectors of the independent program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fromBase64 } from '@sealpost/crypto';
import { createHeadSigner } from '../../../src/slices/key-log/index.ts';

interface SignedHead {
  readonly size: number;
  readonly timestamp: number;
  readonly root: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly signature: string;
}

const file = new URL('../../../../../docs/transparency-vectors.json', import.meta.url);
const vectors: { readonly treeHeads: readonly SignedHead[] } = JSON.parse(readFileSync(file, 'utf8'));

test('heads are signed as in the vectors', () => {
  assert.ok(vectors.treeHeads.length > 0);
  for (const { size, timestamp, root, privateKey, publicKey, signature } of vectors.treeHeads) {
    const signer = createHeadSigner(fromBase64(privateKey));
    assert.equal(signer.publicKey, publicKey);
    assert.equal(signer.sign({ size, timestamp, root: fromBase64(root) }), signature);
  }
});
