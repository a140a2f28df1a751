// Orders the test files of a run. The longest begin first, so that none of them runs alone at the end.

/** The files that took longest when their times were last measured, the longest first. A run prints its times. */
export const LONGEST = [
  'packages/server/test/simulation/simulation.test.ts',
  'packages/cli/test/artifacts.test.ts',
  'packages/cli/test/packages.test.ts',
  'packages/testing/test/foreign-clients.test.ts',
  'packages/testing/test/sdk-grades.test.ts',
  'packages/web/test/screens/axe.test.ts',
  'packages/server/test/abuse/abuse.test.ts',
  'packages/server/test/start/three-servers-suites.test.ts',
  'packages/server/test/slices/push/push-crash.test.ts',
  'packages/server/test/platform/objects/objects-s3-faults.test.ts',
  'packages/server/test/crash/upload-crash.test.ts',
  'packages/web/test/screens/layout.test.ts',
  'packages/web/test/screens/keyboard.test.ts',
  'packages/server/test/crash/kill-loop.test.ts',
  'packages/web/test/screens/focus-order.test.ts',
  'packages/web/test/journeys/keys.test.ts',
  'packages/cli/test/cli.test.ts',
  'packages/cli/test/conformance.test.ts',
  'packages/server/test/crash/kill-groups.test.ts',
  'packages/server/test/crash/crash-points.test.ts',
  'packages/server/test/crash/torn-wal.test.ts',
  'packages/cli/test/verbs.test.ts',
  'packages/cli/test/sealing.test.ts',
  'packages/sdk/test/bot.kills.test.ts',
  'packages/cli/test/keys.test.ts',
  'packages/server/test/start/three-servers.test.ts',
  'packages/sdk/test/refresh-races.test.ts',
  'packages/server/test/slices/login/login-qr.test.ts',
  'packages/server/test/platform/rpc/bad-input.test.ts',
];

/** Returns the files with those of `LONGEST` first. The other files keep their order. */
export function longestFirst(files: readonly string[]): string[] {
  const found = new Set(files);
  const long = LONGEST.filter((file) => found.has(file));
  const first = new Set(long);
  return [...long, ...files.filter((file) => !first.has(file))];
}
