// Chooses the test files of `npm run test:quick`, which developers run after each edit. Files with slow tests are left
// out.
import { serviceVariable } from './test-services.ts';
import { textsBehind } from './wanted-services.ts';

/** A text that occurs in every file that starts other processes: commands, servers, browsers. */
const PROCESSES = "from 'node:child_process'";
/**
 * A text that occurs in files with tests that start Python. A quick run skips these tests, and the other tests of such
 * a file start no process.
 */
const PYTHON = serviceVariable('python');

/** Test files that send very many inputs, run many races, or compare with other programs and earlier clients. */
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
  /^packages\/server\/test\/(abuse|simulation|workload)/,
  /^scripts\/test\/(ratchets|snippets)/,
];

/** Other test files that were among the slowest when their times were measured. They test special parts of a topic. */
const LONG = [
  /^packages\/crypto\/test\/(letter-sealing|media)/,
  /^packages\/sdk\/test\/(bot\.test|client-proxies|downgrade|group-creators|login-trust|media|outbox|recovery|replica)/,
  /^packages\/sdk\/test\/(reports|sealed-media|sealing|trust|wire)/,
  /^packages\/testing\/test\/(sdk-grades|foreign-clients)/,
  /^packages\/server\/test\/platform\/http\/(fixed-headers|wire)/,
  /^packages\/server\/test\/platform\/stream\/(backfill|slow-streams|stream-order)/,
  /^packages\/server\/test\/slices\/admin\/admin-entries/,
  /^packages\/server\/test\/slices\/chats\/full-group/,
  /^packages\/server\/test\/slices\/login\/login-/,
  /^packages\/server\/test\/slices\/messaging\/sealed-sends/,
  /^packages\/server\/test\/slices\/media\/media-(access|cuts|pictures)/,
];

/**
 * Returns true if a test file belongs to a quick run.
 * @param root the folder of the project
 * @param file the path of the file below the root
 */
export const isQuick = (root: string, file: string): boolean =>
  ![...SWEEPS, ...LONG].some((pattern) => pattern.test(file)) && !startsProcesses(root, file);

/**
 * Returns true if a test file, or a file of tests that it imports, starts processes. Files with tests that start Python
 * do not count.
 */
export const startsProcesses = (root: string, file: string): boolean =>
  [...textsBehind(root, [file])].some((text) => text.includes(PROCESSES) && !text.includes(PYTHON));
