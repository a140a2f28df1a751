import { createHash } from 'node:crypto';
import type { MethodArgs, MethodName } from '@sealpost/contract';
import { expectResult } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { randomBytes } from '../surroundings.ts';
import type { World } from '../world.ts';

const heading = 'none: an endpoint beyond the specification (extension)';
const LOG = 'KeyTransparencyService';

/** Calls a method of the key log without a token, because everybody may read the log. */
const ask = async <N extends MethodName>({ raw }: World, method: N, ...args: MethodArgs<N>) =>
  expectResult(method, await raw.call(method, args));

async function register(person: Person): Promise<number> {
  const keyData = randomBytes(32).toString('base64');
  return (await person.call('TalkService.registerE2EEPublicKey', person.reqSeq(), { keyData })).keyId;
}

export const keyLog = scenarios('key-log', {
  entry: {
    endpoint: `${LOG}.getEntries`,
    heading,
    expects: 'A registered key stands in the log at its id, with the hash of its owner',
    async run(world) {
      const alice = await world.account();
      const keyId = await register(alice);
      const [entry] = await ask(world, `${LOG}.getEntries`, { after: keyId - 1, count: 1 });
      const midHash = createHash('sha256').update(alice.mid).digest('base64');
      expectEqual('the entry to have', [entry?.keyId, entry?.midHash], [keyId, midHash]);
    },
  },
  proofs: {
    endpoint: `${LOG}.getInclusionProof`,
    heading,
    expects: 'The log of the size of its head proves that it holds a registered key',
    async run(world) {
      const keyId = await register(await world.account());
      const { treeSize } = await ask(world, `${LOG}.getTreeHead`);
      expectThat(treeSize >= keyId, 'a head with the new key', treeSize);
      await ask(world, `${LOG}.getInclusionProof`, { keyId, treeSize });
    },
  },
  growth: {
    endpoint: `${LOG}.getConsistencyProof`,
    heading,
    expects: 'The log proves that it begins with the log of an earlier head',
    async run(world) {
      const alice = await world.account();
      await register(alice);
      const first = await ask(world, `${LOG}.getTreeHead`);
      await register(alice);
      const second = await ask(world, `${LOG}.getTreeHead`);
      expectThat(second.treeSize > first.treeSize, 'a larger log', [first.treeSize, second.treeSize]);
      await ask(world, `${LOG}.getConsistencyProof`, { firstSize: first.treeSize, secondSize: second.treeSize });
    },
  },
});
