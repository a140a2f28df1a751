// Computes the tree of the key log again from the registered keys, and compares it with the stored nodes.
import { appendLeaves, type ReadNodes, type TreeNode, toBase64 } from '@sealpost/crypto';
import type { Reader } from '../../platform/store/store.ts';
import { leafOf, nodesFrom } from '../../slices/key-log/index.ts';
import { advice, type Finding } from './finding.ts';
import * as q from './queries.ts';

const PAGE = 500;

/** Reports what is wrong with the key log. Stops at the first wrong node, because all nodes above it are wrong too. */
export async function checkKeyLog(reader: Reader, tell: (finding: Finding) => void): Promise<void> {
  const wrong = (where: string, problem: string): void =>
    tell({ check: 'key log', where, problem, advice: advice.keyLog });
  let size = 0;
  let nodes = 0;
  for (;;) {
    const keys = await reader.all(q.keysAfter, size, PAGE);
    if (keys.length === 0) break;
    const gap = keys.findIndex((key, i) => key.key_id !== size + i + 1);
    if (gap >= 0) return wrong('e2ee_key', `there is no key with the id ${size + gap + 1}: key ids have no gaps`);
    const expected = await appendLeaves(size, keys.map(leafOf), storedNodes(reader));
    const problem = await differenceIn(reader, expected);
    if (problem) return wrong(problem.where, problem.problem);
    size += keys.length;
    nodes += expected.length;
  }
  const counted = (await reader.one(q.keyCounter))?.last_key_id;
  if (counted !== size)
    wrong('e2ee_key_counter', `the newest key is ${size}, and the counter says ${counted ?? 'nothing'}`);
  const stored = (await reader.one(q.nodeCount))?.count ?? 0;
  if (stored > nodes) wrong('key_log_node', `there are ${stored} nodes, and ${size} keys have only ${nodes}`);
}

/** Reads the stored nodes. Only nodes that were compared before are read, so none is missing. */
const storedNodes = (reader: Reader): ReadNodes => nodesFrom(reader);

async function differenceIn(
  reader: Reader,
  expected: readonly TreeNode[],
): Promise<{ where: string; problem: string } | undefined> {
  const rows = await reader.each(
    q.nodesAt,
    expected.map(({ level, index }) => [level, index]),
  );
  const stored = new Map(rows.map(({ level, position, hash }) => [`${level} ${position}`, hash]));
  for (const { level, index, hash } of expected) {
    const found = stored.get(`${level} ${index}`);
    if (found === toBase64(hash)) continue;
    return {
      where: `key_log_node level ${level}, position ${index}`,
      problem: found === undefined ? 'the node is missing' : 'the hash is not that of the registered keys',
    };
  }
  return undefined;
}
