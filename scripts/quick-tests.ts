// Chooses the test files of `npm run test:quick`, which runs after each edit. What is slow by nature is left out.
import { serviceVariable } from './test-services.ts';
import { textsBehind } from './wanted-services.ts';

/** In a file that starts other processes: commands, servers, browsers. */
const PROCESSES = "from 'node:child_process'";
/**
 * In a file that starts Python if the run has it. A quick run does not have it: those tests are skipped, and the others
 * of the file start nothing.
 */
const PYTHON = serviceVariable('python');

/** Files that send very many inputs, run many races, or compare with other programs and earlier clients. */
const SWEEPS = [
  /^packages\/conformance\/test\/mutants/,
  /^packages\/crypto\/test\/recovery/,
  /^packages\/sdk\/test\/(refresh-races|renewal|sealing-matrix)/,
  /^packages\/server\/test\/compatibility\//,
  /^packages\/server\/test\/platform\/http\/bad-input/,
  /^packages\/server\/test\/platform\/rpc\/(authorization|bad-input|foreign-ids|count-limits|page-limits)/,
  /^packages\/server\/test\/platform\/objects\/objects-s3/,
  /^packages\/server\/test\/platform\/store\/postgres/,
  /^packages\/server\/test\/slices\/login\/equal-work/,
  /^packages\/server\/test\/slices\/media\/media-(s3|verbs)/,
  /^packages\/server\/test\/slices\/messaging\/earlier-sends/,
  /^packages\/server\/test\/start\/(cluster|servers-without-bus|three-servers)/,
  /^packages\/server\/test\/workload/,
  /^scripts\/test\/(ratchets|snippets)/,
];

/** Other files that were among the slowest when their times were measured. They are about parts of a topic. */
const LONG = [
  /^packages\/crypto\/test\/(letter-sealing|media)/,
  /^packages\/sdk\/test\/(bot\.test|client-proxies|downgrade|group-creators|login-trust|media|outbox|recovery|replica)/,
  /^packages\/sdk\/test\/(reports|sealed-media|sealing|trust|wire)/,
  /^packages\/server\/test\/platform\/http\/(fixed-headers|wire)/,
  /^packages\/server\/test\/platform\/stream\/(backfill|slow-streams|stream-order)/,
  /^packages\/server\/test\/slices\/admin\/admin-entries/,
  /^packages\/server\/test\/slices\/chats\/full-group/,
  /^packages\/server\/test\/slices\/login\/login-/,
  /^packages\/server\/test\/slices\/messaging\/sealed-sends/,
  /^packages\/server\/test\/slices\/media\/media-(access|cuts|pictures)/,
];

/**
 * Returns whether a test file is one of the quick ones.
 * @param root the folder of the project
 * @param file the path below the root
 */
export const isQuick = (root: string, file: string): boolean =>
  ![...SWEEPS, ...LONG].some((pattern) => pattern.test(file)) && !startsProcesses(root, file);

/** Returns whether a test file, or a file of tests that it imports, starts processes. Python alone does not count. */
export const startsProcesses = (root: string, file: string): boolean =>
  [...textsBehind(root, [file])].some((text) => text.includes(PROCESSES) && !text.includes(PYTHON));
