// Random workloads from a seed over all commands on people and chats. The rules hold for every account, an independent
// model agrees, a restart changes nothing, and both databases give equal results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsualSeed, seed as seedOfRun } from '@sealpost/dev-env/chance';
import { type DatabaseKind, databases } from '@sealpost/dev-env/harness';
import { type CheckInput, checkEverything, checkReplaySince, unsentTexts } from '@sealpost/dev-env/workload/check';
import type { Workload } from '@sealpost/dev-env/workload/commands';
import { createNormalForm } from '@sealpost/dev-env/workload/normal-form';
import { startWorld, type World } from '@sealpost/dev-env/workload/play';
import { type AccountView, shownTo } from '@sealpost/dev-env/workload/shown';
import { storedText } from '@sealpost/dev-env/workload/stored-text';
import { createWorkload, modelOf } from '@sealpost/dev-env/workload/workload';

const SEEDS = isUsualSeed ? [1, 2] : [seedOfRun];
const LENGTH = Number(process.env.SEALPOST_WORKLOAD_LENGTH ?? 260);

for (const seed of SEEDS) {
  test(`workload ${seed} keeps the rules and agrees with the model`, async (t) => {
    const { workload } = createWorkload(seed, LENGTH);
    const results = new Map<DatabaseKind, unknown[]>();
    for (const database of databases) {
      await t.test(`on ${database}`, async () => {
        results.set(database, await resultsOf(workload, database));
      });
    }
    const without = databases.includes('postgres') ? false : 'SEALPOST_TEST_POSTGRES_URL is not set: SQLite alone';
    await t.test('alike on SQLite and PostgreSQL', { skip: without }, () => {
      const [sqlite, postgres] = [results.get('sqlite') ?? [], results.get('postgres') ?? []];
      sqlite.forEach((result, i) => {
        withPrefix(workload, Math.min(i + 1, workload.commands.length), () => {
          assert.deepEqual(postgres[i], result, `the databases differ on ${whatIs(workload, i)}`);
        });
      });
      assert.equal(postgres.length, sqlite.length);
    });
  });
}

/** Returns the results of the workload in a normal form: first each answer, then what each account sees. */
async function resultsOf(workload: Workload, database: DatabaseKind): Promise<unknown[]> {
  const world = await startWorld(workload, database);
  try {
    const middle = Math.floor(workload.commands.length / 2);
    await playUntil(world, workload, middle);
    await world.server.restart();
    const halfway = await look(world, workload);
    await playUntil(world, workload, workload.commands.length);
    const end = await look(world, workload);
    withPrefix(workload, workload.commands.length, () => {
      for (const [account, earlier] of halfway.shown.entries()) checkReplaySince(end, account, earlier);
    });
    const stored = await storedText(world.dataDir, world.databaseUrl);
    for (const text of unsentTexts(end.model)) assert.ok(!stored.includes(text), `the unsent ${text} is still stored`);
    const normal = createNormalForm(world.players, world.chatMids);
    return [...world.answers, ...halfway.shown.map(unordered), ...end.shown.map(unordered)].map((r) => normal.of(r));
  } finally {
    await world.close();
  }
}

async function playUntil(world: World, workload: Workload, end: number): Promise<void> {
  const { outcomes } = modelOf(workload, end);
  while (world.answers.length < end) {
    const n = world.answers.length;
    const command = workload.commands[n];
    if (!command) return;
    const { outcome, reply } = await world.play(command);
    withPrefix(workload, n + 1, () => {
      assert.equal(outcome, outcomes[n], `the outcome of the last command`);
      if (command.do !== 'repeat') return;
      const original = workload.commands[command.command];
      // A repeated send returns the message as it is now, which may have changed. So only the id is compared.
      const now = original?.do === 'send' ? (r: unknown) => (r as { id: string }).id : (r: unknown) => r;
      assert.deepEqual(now(reply), now(world.answers[command.command]?.reply), 'a repeat is answered otherwise');
    });
  }
}

async function look(world: World, workload: Workload): Promise<CheckInput> {
  const played = world.answers.length;
  const mids = world.players.map((player) => player.mid);
  const shown = await Promise.all(world.players.map((player) => shownTo(player, mids, [...world.messageIds.values()])));
  const checked = { world, model: modelOf(workload, played), shown };
  withPrefix(workload, played, () => checkEverything(checked));
  return checked;
}

/** Returns a view with sorted lists. Some lists are in the order of mids, which are random. */
const unordered = (shown: AccountView) => ({
  ...shown,
  mids: undefined,
  boxes: Object.fromEntries(shown.boxes.map((box) => [box.id, box])),
  readRanges: Object.fromEntries(shown.readRanges.map(({ chatId, ranges }) => [chatId, ranges])),
  chats: Object.fromEntries(shown.chats.map((chat) => [chat.chatMid, chat])),
  rooms: Object.fromEntries(shown.rooms.map((room) => [room.mid, room])),
});

/** Runs a check. If it fails, the error tells how to repeat the run: the seed and the commands so far. */
function withPrefix(workload: Workload, played: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    const prefix = workload.commands.slice(0, played).map((command, n) => `${n} ${JSON.stringify(command)}`);
    const message = `SEED ${workload.seed}, after ${played} commands: ${(error as Error).message}`;
    throw new Error(`${message}\n${prefix.join('\n')}`, { cause: error });
  }
}

function whatIs(workload: Workload, result: number): string {
  const command = workload.commands[result];
  if (command) return `the answer to command ${result}, ${JSON.stringify(command)}`;
  const shown = result - workload.commands.length;
  const accounts = workload.people + workload.officials;
  return `what account ${shown % accounts} is shown ${shown < accounts ? 'halfway' : 'at the end'}`;
}
