// The floor that stores and delivers: a server with the least cost of a send on SQLite. In addition to what the floor
// does, it writes the rows of each message and the events on the recipient's streams. Sends that wait at the same time
// share a durable commit. Apart from the HMAC it checks nothing, reads no row for a send, and repeats no answer.
//
//   storing-floor.ts folder users   a folder of a server, and those of its users who send, as JSON

import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { httpPaths, type OutgoingMessage, operationStatus, operationTypes } from '@sealpost/contract';
import { createIds, timeOfId } from '../packages/server/src/platform/kernel/ids.ts';
import type { SetQuery, Value } from '../packages/server/src/platform/store/sql.ts';
import { connect } from '../packages/server/src/platform/store/sqlite-connection.ts';
import { framesOf } from '../packages/server/src/platform/stream/frames.ts';
import type { LoggedOperation } from '../packages/server/src/platform/stream/operation-log.ts';
import * as log from '../packages/server/src/platform/stream/queries.ts';
import * as messaging from '../packages/server/src/slices/messaging/queries.ts';
import { accessTokenOf, answer, serveSigned } from './bare-http.ts';
import type { User } from './request.ts';

/** Number of rounds of the event loop during which a group collects sends while each round brings more. */
const GATHER_ROUNDS = 64;
/** As long as the fingerprint of a send. */
const FINGERPRINT = 'f'.repeat(22);
const NODE = { number: 0, newest: 0 };
const PLAIN = { reqSeq: 0, status: operationStatus.NORMAL, param1: null, param2: null, param3: null } as const;

interface Account {
  readonly id: number;
  readonly mid: string;
  readonly streams: Set<ServerResponse>;
  revision: number;
  /** The id of the newest message in the log. */
  newest: number;
}

interface Waiting {
  readonly response: ServerResponse;
  readonly sender: Account;
  readonly reqSeq: number;
  readonly message: OutgoingMessage;
}

/** A message that is stored, but not yet committed. */
interface Stored {
  readonly response: ServerResponse;
  readonly body: string;
  readonly sender: Account;
  readonly recipient: Account;
  readonly operation: LoggedOperation;
}

const waiting: Waiting[] = [];

const [folder = '', users = '[]'] = process.argv.slice(2);
const database = connect(path.join(folder, 'data', 'sealpost.db'));
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const insertMessage = forOne(messaging.insertMessages);
const locateMessage = forOne(messaging.locateMessages);
const insertOperation = forOne(log.insertOperations);
const raiseHead = forOne(log.raiseHeads);

const accounts = new Map<string, Account>();
for (const row of database
  .prepare('select a.id, a.mid, h.revision from account a join operation_head h on h.account_id = a.id')
  .all() as { id: number; mid: string; revision: number }[])
  accounts.set(row.mid, { ...row, newest: 0, streams: new Set() });
const callers = new Map(
  (JSON.parse(users) as User[]).map(({ mid, accessToken }) => [accessToken, accounts.get(mid) as Account]),
);
const clock = { now: Date.now, monotonic: () => performance.now() };
const ids = createIds(clock, { bytes: (length) => new Uint8Array(length) }, () => NODE);

/** Returns a function that runs a query for one row. */
function forOne(query: SetQuery): (...values: Value[]) => void {
  const statement = database.prepare(query.sqlite);
  return (...values) => void statement.get(...values);
}

serveSigned((request, response, body) => {
  const caller = callers.get(accessTokenOf(request)) as Account;
  if (request.url?.startsWith(httpPaths.operationReceive)) return open(caller, response);
  const [reqSeq, message] = JSON.parse(body.toString()) as [number, OutgoingMessage];
  waiting.push({ response, sender: caller, reqSeq, message });
  if (waiting.length === 1) gather(1, 0);
});

function open({ streams }: Account, response: ServerResponse): void {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

function gather(seen: number, rounds: number): void {
  setImmediate(() => {
    if (waiting.length > seen && rounds < GATHER_ROUNDS) gather(waiting.length, rounds + 1);
    else writeAll(waiting.splice(0));
  });
}

function writeAll(sends: readonly Waiting[]): void {
  begin.get();
  const stored = sends.map(store);
  const raised = new Set(stored.flatMap(({ sender, recipient }) => [sender, recipient]));
  for (const { id, revision, newest } of raised) raiseHead(id, revision, newest);
  commit.get();
  const news = Map.groupBy(stored, ({ recipient }) => recipient);
  for (const [{ streams }, some] of news) {
    const bytes = framesOf(some.map(({ operation }) => operation));
    for (const stream of streams) stream.write(bytes);
  }
  for (const { response, body } of stored) answer(response, 200, body);
}

function store({ response, sender, reqSeq, message }: Waiting): Stored {
  const recipient = accounts.get(message.to) as Account;
  // Ids of chats are not those of a real server, but as long. Both people of a pair are in the same chat.
  const chatId = Math.min(sender.id, recipient.id);
  const id = ids.next();
  const time = timeOfId(id);
  const body = JSON.stringify({ ...message, id: String(id), createdTime: String(time) });
  insertMessage(chatId, id, sender.id, message.contentType ?? 0, time, null, body);
  locateMessage(id, chatId);
  for (const account of [sender, recipient]) {
    account.revision += 1;
    account.newest = id;
  }
  const { SEND_MESSAGE: sent, RECEIVE_MESSAGE: received } = operationTypes;
  const named = [chatId, id, null, null, null] as const;
  insertOperation(sender.id, sender.revision, sent, time, reqSeq, ...named, sender.id, FINGERPRINT);
  insertOperation(recipient.id, recipient.revision, received, time, 0, ...named, null, null);
  const event = { accountId: recipient.id, revision: recipient.revision, createdTime: time, type: received, body };
  return { response, body, sender, recipient, operation: { ...event, ...PLAIN } };
}
