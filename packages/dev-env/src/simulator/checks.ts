// The checks at the end of a simulation, when all faults are over and every client has everything.
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { seededRandom } from '@sealpost/testing/seeded-random';
import { checkEverything, unsentTexts } from '../workload/check.ts';
import type { World } from '../workload/play.ts';
import { type AccountView, shownTo } from '../workload/shown.ts';
import { storedText } from '../workload/stored-text.ts';
import { checkObjects } from './check-objects.ts';
import { shown as shownCommand } from './judge.ts';
import { present } from './present.ts';
import { readRows } from './read-rows.ts';
import type { Rule } from './rules.ts';
import type { Simulation } from './simulation.ts';

/** Pages that hold what one simulation makes. */
const PAGES = { boxesPerPage: 50, messagesPerPage: 100 };

/** Reads everything that the server shows to each account, and compares it with the model and with the clients. */
export async function checkAll(simulation: Simulation): Promise<void> {
  const { judge } = simulation;
  await simulation.drive(
    Promise.all(simulation.devices.map(({ client }) => client.synced())),
    'the last synchronization',
  );
  checkOutcomes(simulation);
  const views: AccountView[] = [];
  const mids = simulation.devices.map(({ mid }) => mid);
  const clients = simulation.devices.map((_, account) => observer(simulation, account));
  for (const [account, client] of clients.entries()) {
    const player = { ...simulation.midsAndUserids[account]!, client };
    views.push(
      await simulation.drive(
        shownTo(player, mids, [...judge.messageIds.values()], PAGES),
        `reading account ${account}`,
      ),
    );
    client.close();
  }
  const players = simulation.midsAndUserids.map((player, account) => ({
    ...player,
    client: present(clients[account], 'client'),
  }));
  const world = { players, chatMids: judge.chatMids, messageIds: judge.messageIds } as unknown as World;
  attempt(simulation, 'model', () =>
    checkEverything({ world, model: judge.model, shown: views, severalServers: true }),
  );
  for (const [account, view] of views.entries()) {
    checkStreams(simulation, account, view);
    attempt(simulation, 'replica', () => checkReplica(simulation, account, view));
  }
  for (let races = judge.checkRefusals(); races > 0; races--) simulation.faults.saw('command refused after a race');
  checkTables(simulation);
  await simulation.drive(simulation.actors.keyLog.check(), 'the last audit');
  await simulation.drive(simulation.actors.sealedGroup.check(simulation.disk), 'the check of the sealed group');
  await checkObjects(simulation);
  const folder = simulation.disk.path.slice(0, -'/sealpost.db'.length);
  const stored = await storedText(folder, undefined);
  for (const text of unsentTexts(judge.model))
    if (stored.includes(text)) judge.violated('unsent', `the unsent ${text} is stored`);
}

function attempt({ judge }: Simulation, rule: Rule, check: () => void): void {
  try {
    check();
  } catch (error) {
    judge.violated(rule, String(error).slice(0, 3000));
  }
}

function observer(simulation: Simulation, account: number): RpcClient {
  const { schedule, network, seed, image, world } = simulation;
  return createRpcClient({
    url: 'http://gateway.test',
    session: image.observers[account]!,
    fetch: network.fetchOf(world, account),
    clock: schedule.clock,
    timers: schedule.timersOf(world),
    random: seededRandom(`${seed} observer ${account}`),
  });
}

/** Checks that each command that was acknowledged is in the model, and each other one is refused or still unknown. */
function checkOutcomes({ judge, devices, regrets }: Simulation): void {
  for (const given of judge.given.values()) {
    const { command, index, refusal, acknowledged, doubtful } = given;
    if (acknowledged && index === undefined)
      judge.violated('acknowledged', `${shownCommand(given)} was acknowledged and is lost`);
    if (index !== undefined || refusal || doubtful || command.do !== 'send' || regrets.has(given)) continue;
    const row = devices[command.by]?.client.outbox.all().find(({ content }) => content.text === command.text);
    if (row?.state === 'failed') judge.refused(given, row.failure?.reason ?? 'unknown');
    else judge.violated('acknowledged', `${shownCommand(given)} left the outbox and was never stored`);
  }
}

/** Checks that what streams delivered is in the log with the same content. */
function checkStreams({ judge }: Simulation, account: number, { operations }: AccountView): void {
  const log = new Map(operations.map((operation) => [Number(operation.revision), operation]));
  const contents = new Map<number, string>();
  for (const stream of judge.streams.values()) {
    if (stream.account !== account) continue;
    for (const { revision, content } of stream.events) {
      const now = log.get(revision);
      const then: { type: number; message?: { id: string } } = JSON.parse(content);
      if (!now) judge.violated('committed', `account ${account} was delivered ${revision}, which is not in its log`);
      else if (now.type !== then.type || now.message?.id !== then.message?.id)
        judge.violated(
          'one-content',
          `revision ${revision} of account ${account} was ${content} and is ${JSON.stringify(now)}`,
        );
      const known = contents.get(revision);
      if (known !== undefined && known !== `${then.type} ${then.message?.id}`)
        judge.violated('one-content', `revision ${revision} of account ${account} was delivered with two contents`);
      contents.set(revision, `${then.type} ${then.message?.id}`);
    }
  }
  if (judge.highest(account) > operations.length)
    judge.violated(
      'within-log',
      `account ${account} saw ${judge.highest(account)}, its log ends at ${operations.length}`,
    );
}

/** Checks that what a client keeps is what the server shows. */
function checkReplica({ devices }: Simulation, account: number, view: AccountView): void {
  const { replica } = devices[account]!.client;
  const problems: string[] = [];
  const same = (what: string, kept: unknown, shown: unknown): void => {
    if (JSON.stringify(kept) !== JSON.stringify(shown))
      problems.push(
        `${what} of account ${account}: the client keeps ${JSON.stringify(kept)}, the server shows ${JSON.stringify(shown)}`,
      );
  };
  for (const box of view.boxes) {
    const chat = replica.chat(box.id);
    same(
      `box ${box.id}`,
      [String(chat?.unread), chat?.seenId, chat?.last?.id ?? '0', chat?.hidden],
      [
        box.unreadCount,
        box.lastSeenMessageId,
        box.lastDeliveredMessageId?.messageId ?? '0',
        box.hiddenAtMessageId !== undefined,
      ],
    );
  }
  for (const shown of view.chats) {
    const chat = replica.chat(shown.chatMid);
    const { memberMids = [], inviteeMids = [] } = shown.extra?.groupExtra ?? {};
    same(`members of ${shown.chatMid}`, [...(chat?.members ?? [])].sort(), [...memberMids].sort());
    // The server does not notify other members when an invitee declines, so the client may keep more invitees.
    const unknown = inviteeMids.filter((invitee) => !chat?.invitees.includes(invitee));
    same(`invitees of ${shown.chatMid} that the client lacks`, unknown, []);
    same(
      `settings of ${shown.chatMid}`,
      [chat?.muted, chat?.favorite],
      [shown.notificationDisabled, Number(shown.favoriteTimestamp) > 0],
    );
  }
  same('revision', replica.revision, String(view.operations.length));
  same('profile', replica.profile?.displayName, view.profile.displayName);
  for (const mid of view.contacts) {
    const { contact } = view.records[mid] ?? {};
    const kept = replica.contact(mid);
    same(
      `contact ${mid}`,
      [kept?.status, kept?.displayNameOverridden, kept?.settings],
      [contact?.status, contact?.displayNameOverridden, contact?.settings],
    );
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

interface LogRow {
  readonly account: number;
  readonly head: number;
  readonly found: number;
  readonly first: number | null;
  readonly last: number | null;
}

/** Checks that the revisions in the tables are dense, and each log ends at its head. */
function checkTables({ disk, judge }: Simulation): void {
  const rows = readRows<LogRow>(
    disk,
    `select h.account_id as account, h.revision as head, count(o.revision) as found, min(o.revision) as first, max(o.revision) as last
     from operation_head h left join operation o on o.account_id = h.account_id group by h.account_id`,
  );
  for (const { account, head, found, first, last } of rows) {
    if (found !== head || (found > 0 && (first !== 1 || last !== head)))
      judge.violated(
        'dense',
        `the table has ${found} operations of account ${account} from ${first} to ${last}, its head is ${head}`,
      );
  }
  const [check] = readRows<{ readonly integrity_check: string }>(disk, 'pragma integrity_check');
  if (check?.integrity_check !== 'ok') judge.violated('dense', `the database is damaged: ${check?.integrity_check}`);
}
