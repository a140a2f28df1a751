import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  appendLeaves,
  type Bytes,
  consistencyProof,
  emptyRoot,
  fromBase64,
  inclusionProof,
  leafHash,
  type NodePlace,
  nodeHash,
  toBase64,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
  verifyTreeHead,
} from '@sealpost/crypto';
import { fc } from '@sealpost/dev-env/chance';
import { runProgram, withPython } from './independent-program.ts';

interface Vectors {
  trees: {
    name: string;
    leaves?: string[];
    roots: { size: number; root: string }[];
    inclusion: { index: number; size: number; leafHash: string; proof: string[] }[];
    consistency: { oldSize: number; newSize: number; proof: string[] }[];
  }[];
  treeHeads: (Record<'privateKey' | 'publicKey' | 'root' | 'signature', string> & {
    size: number;
    timestamp: number;
  })[];
}

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/transparency-vectors.json', root), 'utf8')) as Vectors;
const utf8 = new TextEncoder();

/** Creates a store for the nodes of a tree, and a reader that counts its reads. */
function storage() {
  const nodes = new Map<string, Bytes>();
  const place = ({ level, index }: NodePlace) => `${level}/${index}`;
  const counts = { calls: 0, nodes: 0 };
  const read = async (places: readonly NodePlace[]) => {
    counts.calls++;
    counts.nodes += places.length;
    return places.map((p) => nodes.get(place(p)) ?? assert.fail(`nothing is stored at ${place(p)}`));
  };
  const append = async (size: number, leaves: readonly Bytes[]) => {
    const added = await appendLeaves(size, leaves, read);
    for (const node of added) {
      assert.ok(!nodes.has(place(node)), 'a stored node never changes');
      nodes.set(place(node), node.hash);
    }
    return added;
  };
  return { read, append, counts };
}

for (const tree of vectors.trees) {
  const leaves = tree.leaves?.map(fromBase64) ?? Array.from({ length: 1000 }, (_, n) => utf8.encode(`leaf ${n}`));
  const rootAt = (size: number) => fromBase64(tree.roots.find((r) => r.size === size)?.root ?? '');

  test(`roots and proofs are those of the vectors, and pass: ${tree.name}`, async () => {
    const { read, append } = storage();
    for (const [size, leaf] of leaves.entries()) await append(size, [leafHash(leaf)]);
    for (const { size, root: expected } of tree.roots) assert.equal(toBase64(await treeRoot(size, read)), expected);
    for (const v of tree.inclusion) {
      assert.equal(toBase64(leafHash(leaves[v.index] as Uint8Array)), v.leafHash);
      const proof = await inclusionProof(v.index, v.size, read);
      assert.deepEqual(proof.map(toBase64), v.proof);
      assert.ok(verifyInclusion({ ...v, leafHash: fromBase64(v.leafHash), root: rootAt(v.size), proof }));
    }
    for (const v of tree.consistency) {
      const proof = await consistencyProof(v.oldSize, v.newSize, read);
      assert.deepEqual(proof.map(toBase64), v.proof);
      assert.ok(verifyConsistency({ ...v, oldRoot: rootAt(v.oldSize), newRoot: rootAt(v.newSize), proof }));
    }
  });
}

test('the well-known trees have their well-known roots', () => {
  const known: Record<number, string> = {
    0: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    2: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    8: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  };
  for (const { size, root: made } of vectors.trees[0]?.roots ?? [])
    if (known[size]) assert.equal(Buffer.from(made, 'base64').toString('hex'), known[size]);
});

const leafNames = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => leafHash(utf8.encode(`${from + n}`)));

test('leaves appended at once or one by one give the same nodes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { maxLength: 10 }), async (portions) => {
      const [portioned, whole] = [storage(), storage()];
      let size = 0;
      const added = [];
      for (const portion of portions) {
        added.push(...(await portioned.append(size, leafNames(size, size + portion))));
        size += portion;
      }
      assert.deepEqual(added, await whole.append(0, leafNames(0, size)));
    }),
  );
});

const grown = storage();
const SIZE = 300;
await grown.append(0, leafNames(0, SIZE));

test('every proof of a tree passes, and no other leaf, index, size, root or proof does', async () => {
  const sizes = fc
    .integer({ min: 1, max: SIZE })
    .chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size - 1 })));
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async ([size, index], n) => {
      const proof = await inclusionProof(index, size, grown.read);
      const claim = {
        leafHash: leafNames(index, index + 1)[0] as Bytes,
        index,
        size,
        proof,
        root: await treeRoot(size, grown.read),
      };
      assert.ok(verifyInclusion(claim));
      const other = leafHash(utf8.encode('other'));
      const lies = [
        { leafHash: other },
        { leafHash: new Uint8Array() },
        { root: other },
        { root: new Uint8Array() },
        { index: index + 1 },
        { index: index - 1 },
        { index: index + 0.5 },
        { size: 0 },
        { size: index },
        { proof: [...proof, other] },
        ...(proof.length > 0 ? [{ proof: proof.slice(1) }, { proof: proof.with(n % proof.length, other) }] : []),
      ];
      for (const lie of lies) assert.ok(!verifyInclusion({ ...claim, ...lie }), JSON.stringify(Object.keys(lie)));
    }),
  );
});

test('every growth of a tree passes, and no other history does', async () => {
  const sizes = fc.integer({ min: 1, max: SIZE }).chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size })));
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async ([newSize, oldSize], n) => {
      const proof = await consistencyProof(oldSize, newSize, grown.read);
      const [oldRoot, newRoot] = [await treeRoot(oldSize, grown.read), await treeRoot(newSize, grown.read)];
      const claim = { oldSize, newSize, oldRoot, newRoot, proof };
      assert.ok(verifyConsistency(claim));
      const other = leafHash(utf8.encode('other'));
      const lies = [
        { oldRoot: other },
        { oldRoot: new Uint8Array() },
        { oldSize: newSize + 1 },
        { oldSize: -1 },
        { newSize: Number.NaN },
        { proof: [...proof, other] },
        ...(oldSize > 0 ? [{ newRoot: other }] : []),
        ...(proof.length > 0 ? [{ proof: proof.slice(1) }, { proof: proof.with(n % proof.length, other) }] : []),
      ];
      for (const lie of lies) assert.ok(!verifyConsistency({ ...claim, ...lie }), JSON.stringify(Object.keys(lie)));
    }),
  );
});

test('a log that rewrote one leaf cannot show that it grew', async () => {
  const honest = storage();
  const rewritten = storage();
  await honest.append(0, leafNames(0, 100));
  await rewritten.append(0, leafNames(0, 150).with(42, leafHash(utf8.encode('rewritten'))));
  const proof = await consistencyProof(100, 150, rewritten.read);
  const [oldRoot, newRoot] = [await treeRoot(100, honest.read), await treeRoot(150, rewritten.read)];
  assert.ok(!verifyConsistency({ oldSize: 100, oldRoot, newSize: 150, newRoot, proof }));
});

test('a node cannot be passed off as a leaf', () => {
  const [left, right] = [leafHash(utf8.encode('l')), leafHash(utf8.encode('r'))];
  assert.notDeepEqual(leafHash(Uint8Array.from([...left, ...right])), nodeHash(left, right));
});

test('a proof or an append reads a few nodes, in one call, however large the tree is', async () => {
  const counts = { calls: 0, nodes: 0 };
  const read = async (places: readonly NodePlace[]) => {
    counts.calls++;
    counts.nodes += places.length;
    return places.map(({ level, index }) => leafHash(utf8.encode(`${level}/${index}`)));
  };
  const size = 2 ** 50 - 12345;
  for (const work of [
    () => inclusionProof(2 ** 49 + 77, size, read),
    () => consistencyProof(2 ** 48 + 77, size, read),
    () => treeRoot(size, read),
    () => appendLeaves(size, [emptyRoot()], read),
  ]) {
    Object.assign(counts, { calls: 0, nodes: 0 });
    await work();
    assert.equal(counts.calls, 1);
    assert.ok(counts.nodes <= 100, `${counts.nodes} nodes`);
  }
});

test('proofs of what is not in the tree are not made', async () => {
  for (const [index, size] of [
    [-1, 3],
    [3, 3],
    [0, 0],
    [Number.NaN, 3],
  ] as const)
    await assert.rejects(inclusionProof(index, size, grown.read), RangeError);
  await assert.rejects(consistencyProof(4, 3, grown.read), RangeError);
});

for (const v of vectors.treeHeads) {
  test(`the signed tree head of the vector passes: ${v.size} leaves`, async () => {
    const head = { size: v.size, timestamp: v.timestamp, root: fromBase64(v.root) };
    const [publicKey, signature] = [fromBase64(v.publicKey), fromBase64(v.signature)];
    assert.equal(await verifyTreeHead(head, signature, publicKey), true);
    const other = v.size === 0 ? 1 : v.size - 1;
    const lies = [
      { size: other },
      { size: -1 },
      { timestamp: other },
      { root: emptyRoot().reverse() },
      { root: new Uint8Array() },
    ];
    for (const lie of lies) assert.equal(await verifyTreeHead({ ...head, ...lie }, signature, publicKey), false);
    for (const bad of [signature.slice(1), signature.with(3, (signature[3] ?? 0) ^ 1), new Uint8Array(64)])
      assert.equal(await verifyTreeHead(head, bad, publicKey), false);
    assert.equal(await verifyTreeHead(head, signature, new Uint8Array(32)), false);
  });
}

test('the published vectors of trees are what the independent program makes', withPython, () => {
  runProgram('transparency-vectors.py', '--check');
});
