// `npm run campaign -- <name>` runs the long form of a campaign, and `npm run campaign` lists all. `--size 3` replaces the
// number of repeats or runs, and `--table` prints the table of docs/evidence.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { type Campaign, campaigns, commandOf, tableOf } from './campaigns.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = readOptions(import.meta.filename, {
  options: { size: { type: 'string' }, table: { type: 'boolean', default: false } },
  allowPositionals: true,
});

function sized(campaign: Campaign, size: string | undefined): Campaign {
  const { long } = campaign;
  if (size === undefined) return campaign;
  const count = Number(size);
  if (!(count > 0) || 'script' in long)
    throw new Error(
      `--size is a number above 0, for a campaign that runs tests; otherwise run: ${commandOf(campaign)}`,
    );
  return { ...campaign, long: 'repeats' in long ? { repeats: count } : { times: Math.ceil(count) } };
}

/** Runs a program of the project, and returns its exit code. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

/** Runs a script of package.json, whose arguments follow after `--`. */
function runScript([name = '', ...args]: readonly string[]): number {
  const { status } = spawnSync('npm', ['run', name, ...args], { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}

/** Runs the long form, and returns how many of its runs failed. */
function failuresOf({ test, long }: Campaign): number {
  if ('script' in long) return runScript(long.script);
  // A missing program fails the run. Without it, tests would be skipped, and the campaign would prove nothing.
  if ('repeats' in long)
    return run(['scripts/test.ts', test], { CI: 'true', SEALPOST_TEST_REPEATS: String(long.repeats) });
  let failed = 0;
  for (let n = 0; n < long.times; n++) if (run(['scripts/test.ts', test], { CI: 'true' }) !== 0) failed += 1;
  return failed;
}

if (values.table) console.log(tableOf(campaigns));
else if (positionals.length === 0) {
  for (const campaign of campaigns)
    console.log(`${campaign.name}: ${campaign.what}; ${campaign.size}\n    ${commandOf(campaign)}`);
}
for (const name of positionals) {
  const named = campaigns.find((campaign) => campaign.name === name);
  if (!named) throw new Error(`no campaign is named ${name}; npm run campaign lists them`);
  const campaign = sized(named, values.size);
  const begun = performance.now();
  const failed = failuresOf(campaign);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${name}: ${failed === 0 ? 'no failure' : 'failed'} in ${seconds} s with ${commandOf(campaign)}`);
  if (failed > 0) process.exitCode = 1;
}
