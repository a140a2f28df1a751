// The floor that stores and delivers: a server with the least cost of a send on a database. In addition to what the floor
// does, it writes the rows of each message and the events on the recipient's streams. Sends that wait at the same time
// share a durable commit. Apart from the HMAC it checks nothing, reads no row for a send, and repeats no answer.
//
//   storing-floor.ts users sqlite folder
//   storing-floor.ts users postgres url
// The users are those who send, as JSON. The folder or the database is that of a server which has them.

import type { ServerResponse } from 'node:http';
import { httpPaths, type OutgoingMessage, operationStatus, operationTypes } from '@sealpost/contract';
import { createIds, timeOfId } from '../packages/server/src/platform/kernel/ids.ts';
import type { Value } from '../packages/server/src/platform/store/sql.ts';
import { framesOf } from '../packages/server/src/platform/stream/frames.ts';
import type { LoggedOperation } from '../packages/server/src/platform/stream/operation-log.ts';
import { accessTokenOf, answer, serveSigned } from './bare-http.ts';
import type { User } from './request.ts';
import { openPostgres } from './storing-floor/postgres.ts';
import { openSqlite } from './storing-floor/sqlite.ts';

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

/** What a send writes and answers. */
interface Prepared {
  readonly response: ServerResponse;
  readonly body: string;
  readonly sender: Account;
  readonly recipient: Account;
  readonly operation: LoggedOperation;
  readonly message: readonly Value[];
  readonly location: readonly Value[];
  readonly operations: readonly (readonly Value[])[];
}

let waiting: Waiting[] = [];
let isWriting = false;

const [users = '[]', database, place = ''] = process.argv.slice(2);
const store = database === 'postgres' ? await openPostgres(place) : openSqlite(place);
const accounts = new Map<string, Account>(
  store.accounts.map((account) => [account.mid, { ...account, newest: 0, streams: new Set() }]),
);
const callers = new Map(
  (JSON.parse(users) as User[]).map(({ mid, accessToken }) => [accessToken, accounts.get(mid) as Account]),
);
const clock = { now: Date.now, monotonic: () => performance.now() };
const ids = createIds(clock, { bytes: (length) => new Uint8Array(length) }, () => NODE);

serveSigned((request, response, body) => {
  const caller = callers.get(accessTokenOf(request)) as Account;
  if (request.url?.startsWith(httpPaths.operationReceive)) return open(caller, response);
  const [reqSeq, message] = JSON.parse(body.toString()) as [number, OutgoingMessage];
  waiting.push({ response, sender: caller, reqSeq, message });
  if (waiting.length === 1 && !isWriting) gather(1, 0);
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
    else void writeAll();
  });
}

/** Writes the sends that wait. Those that come meanwhile wait for the next commit. */
async function writeAll(): Promise<void> {
  const sends = waiting.map(prepare);
  waiting = [];
  isWriting = true;
  const raised = new Set(sends.flatMap(({ sender, recipient }) => [sender, recipient]));
  await store.write({
    messages: sends.map(({ message }) => message),
    locations: sends.map(({ location }) => location),
    operations: sends.flatMap(({ operations }) => operations),
    heads: Array.from(raised, ({ id, revision, newest }) => [id, revision, newest]),
  });
  isWriting = false;
  const news = Map.groupBy(sends, ({ recipient }) => recipient);
  for (const [{ streams }, some] of news) {
    const bytes = framesOf(some.map(({ operation }) => operation));
    for (const stream of streams) stream.write(bytes);
  }
  for (const { response, body } of sends) answer(response, 200, body);
  if (waiting.length > 0) gather(waiting.length, 0);
}

function prepare({ response, sender, reqSeq, message }: Waiting): Prepared {
  const recipient = accounts.get(message.to) as Account;
  // Ids of chats are not those of a real server, but as long. Both people of a pair are in the same chat.
  const chatId = Math.min(sender.id, recipient.id);
  const id = ids.next();
  const time = timeOfId(id);
  const body = JSON.stringify({ ...message, id: String(id), createdTime: String(time) });
  for (const account of [sender, recipient]) {
    account.revision += 1;
    account.newest = id;
  }
  const { SEND_MESSAGE: sent, RECEIVE_MESSAGE: received } = operationTypes;
  const named = [chatId, id, null, null, null] as const;
  const event = { accountId: recipient.id, revision: recipient.revision, createdTime: time, type: received, body };
  return {
    ...{ response, body, sender, recipient },
    operation: { ...event, ...PLAIN },
    message: [chatId, id, sender.id, message.contentType ?? 0, time, null, null, body],
    location: [id, chatId],
    operations: [
      [sender.id, sender.revision, sent, time, reqSeq, ...named, sender.id, FINGERPRINT],
      [recipient.id, recipient.revision, received, time, 0, ...named, null, null],
    ],
  };
}
