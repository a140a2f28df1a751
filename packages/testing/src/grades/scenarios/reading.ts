// Tests how a client reads long lists: history, boxes, contacts, chats.
import type { CallRecord } from '@sealpost/contract/workbench';
import { argumentsOf, type Fields, isFields, structOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { lastRevision, madeUp, operationEvent, received, scriptStream } from '../stream-script.ts';
import { Deviation, demand, demandSame } from '../verdict.ts';

const limits = (fact: string) => basis('Limits', fact);
const messaging = (fact: string) => basis('Messaging', fact);
const CONTACTS = 'ask for all contacts after the text !contacts, with getAllContactIds and getContactsV2';
const CHATS = 'ask for all chats after the text !chats, with getAllChatMids and getChats';
const BOXES = 'read the message boxes at the start or after the text !boxes, with getMessageBoxes';
const MOST_AT_ONCE = 100;

const json = (data: unknown) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 0, message: 'OK', data }),
});

const historyCalls = (stage: Stage): CallRecord[] => stage.calls('getPreviousMessagesV2WithRequest');

function boundaryOf(call: CallRecord): Fields {
  const { endMessageId } = structOf(call);
  if (isFields(endMessageId)) return endMessageId;
  throw new Deviation('endMessageId as a struct with messageId and deliveredTime', call.body);
}

/**
 * Returns the ids at which pages begin, for each time that the client reads the history. A client may read it again from
 * the newest messages, for example to see whether the chat was sealed before.
 */
function boundariesOfReadings(stage: Stage, calls: readonly CallRecord[]): bigint[][] {
  const starts = stage.calls('getRecentMessagesV2').map(({ id }) => id);
  const readings = Map.groupBy(calls, (call) => starts.filter((id) => id < call.id).length);
  return [...readings.values()].map((own) => own.map((call) => BigInt(String(boundaryOf(call).messageId))));
}

/** Returns made-up ids that nobody has. 130 of them are enough for two calls. */
const ids = (prefix: string, count = 130): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${(index + 1).toString(16).padStart(32, '0')}`);

/** Demands that no call names more ids than one call may have. */
function demandPages(calls: readonly CallRecord[], field: string, wanted: readonly string[]): void {
  const asked = calls.flatMap((call) => {
    const list = structOf(call)[field];
    if (!Array.isArray(list)) throw new Deviation(`a list ${field}`, call.body);
    demand(list.length <= MOST_AT_ONCE, `at most ${MOST_AT_ONCE} ids in ${field}`, `${list.length}`);
    return list as string[];
  });
  const missing = wanted.filter((id) => !asked.includes(id));
  demand(missing.length === 0, `all ${wanted.length} ids to be asked for`, `${missing.length} were not`);
}

export const reading = scenariosOf('reading', {
  'history-to-its-end': {
    title: 'The history of a chat is read page by page to its first message',
    basis: messaging('getPreviousMessagesV2WithRequest: list of older messages, excluding the boundary message'),
    consequence: 'Older messages are missing, and nothing tells so.',
    async play(stage) {
      const ann = await stage.person('ann');
      for (let number = 1; number <= 240; number++) await ann.say(`old ${number}`);
      await stage.start();
      const said = await stage.command(ann, '!history', 'history', 30_000);
      // The 240 old texts and the command make 241 messages. With an answer to the command, there are 242.
      demand(Number(said) >= 241 && Number(said) <= 242, 'the count 241, or 242 with an answer', said);
    },
  },
  'history-boundary': {
    title: 'The next page begins at the id and the time of the oldest message that is known',
    basis: messaging('endMessageId: struct with messageId and deliveredTime'),
    consequence: 'Pages overlap or leave out messages with the same time.',
    async play(stage) {
      const ann = await stage.person('ann');
      for (let number = 1; number <= 130; number++) await ann.say(`old ${number}`);
      await stage.start();
      await stage.command(ann, '!history', 'history', 30_000);
      const calls = await stage.reached('read older pages with getPreviousMessagesV2WithRequest', () =>
        historyCalls(stage).length > 0 ? historyCalls(stage) : undefined,
      );
      for (const call of calls) {
        const { messageId, deliveredTime } = boundaryOf(call);
        demandSame('the type of messageId', typeof messageId, 'string');
        demand(/^\d+$/.test(String(deliveredTime)), 'the delivered time of that message', deliveredTime);
        const { messagesCount } = structOf(call);
        demand(Number(messagesCount) <= MOST_AT_ONCE, `at most ${MOST_AT_ONCE} messages a page`, messagesCount);
      }
      for (const boundaries of boundariesOfReadings(stage, calls))
        demand(
          boundaries.every((id, index) => index === 0 || id <= (boundaries[index - 1] as bigint)),
          'boundaries that go back in time',
          boundaries.map(String),
        );
    },
  },
  'large-ids': {
    title: 'Message ids beyond 2^53 keep all their digits',
    basis: basis('Wire conventions', '64-bit integers (message ids, revisions, times) are carried as decimal strings'),
    consequence: 'The client names another message than the user chose: it reacts to a wrong one, or to none.',
    async play(stage) {
      const ann = await stage.talking();
      const id = '9007199254740993';
      const next = String((await lastRevision(stage)) + 1);
      await scriptStream(stage, operationEvent(received(next, madeUp(stage, ann, '!react', { id }))));
      const call = await stage.reached(
        'react to a message after the text !react, with react',
        () => stage.calls('react')[0],
      );
      demandSame('messageId', String(structOf(call).messageId), id);
      demandSame('the type of messageId', typeof structOf(call).messageId, 'string');
    },
  },
  'contacts-by-hundred': {
    title: 'Contacts are asked for in parts of at most 100',
    basis: limits('Contacts per request: configuration limit.sync.contacts, default 100'),
    consequence: 'People with more than 100 contacts see none of them.',
    async play(stage) {
      const ann = await stage.talking();
      const wanted = ids('u');
      stage.fault('getAllContactIds', { answer: json(wanted) });
      const mark = stage.mark();
      await stage.asks(ann, '!contacts', CONTACTS);
      await stage.reached(CONTACTS, () =>
        stage.calls('getContactsV2', mark).length >= 2 ||
        stage.calls('getContactsV2', mark).some(tooMany('targetUserMids'))
          ? true
          : undefined,
      );
      await stage.pass(300);
      demandPages(stage.calls('getContactsV2', mark), 'targetUserMids', wanted);
    },
  },
  'chats-by-hundred': {
    title: 'Chats are asked for in parts of at most 100',
    basis: limits('Chats and rooms per request: configuration limit.sync.groups, default 100'),
    consequence: 'People with more than 100 groups see none of them.',
    async play(stage) {
      const ann = await stage.talking();
      const wanted = ids('c');
      stage.fault('getAllChatMids', { answer: json({ memberChatMids: wanted, invitedChatMids: [] }) });
      const mark = stage.mark();
      await stage.asks(ann, '!chats', CHATS);
      await stage.reached(CHATS, () =>
        stage.calls('getChats', mark).length >= 2 || stage.calls('getChats', mark).some(tooMany('chatMids'))
          ? true
          : undefined,
      );
      await stage.pass(300);
      demandPages(stage.calls('getChats', mark), 'chatMids', wanted);
    },
  },
  'own-limits': {
    title: 'The number of contacts in a call follows the configuration of the server',
    basis: limits('Contacts per request: configuration limit.sync.contacts'),
    consequence: 'On a server with smaller limits the lists stay empty.',
    async play(stage) {
      const ann = await stage.person('ann');
      const configMap = {
        'limit.sync.contacts': '20',
        'limit.sync.messages': '20',
        'limit.sync.groups': '20',
        'function.limit.sync.messageboxes': '20',
      };
      stage.fault('getConfigurations', { answer: json({ revision: '1', configMap }) });
      await stage.start();
      await stage.echoes(ann, 'hello');
      await stage.asks(ann, '!contacts', CONTACTS);
      await stage.reached(
        'ask for the configuration with getConfigurations',
        () => stage.calls('getConfigurations')[0],
      );
      const wanted = ids('u', 50);
      stage.fault('getAllContactIds', { answer: json(wanted) });
      const mark = stage.mark();
      await stage.asks(ann, '!contacts', CONTACTS);
      const calls = await stage.reached('ask for contacts with getContactsV2', () => {
        const made = stage.calls('getContactsV2', mark);
        return made.length > 0 ? made : undefined;
      });
      for (const call of calls) {
        const { targetUserMids } = structOf(call);
        const { length } = Array.isArray(targetUserMids) ? targetUserMids : [];
        demand(length <= 20, 'at most 20 contacts, as limit.sync.contacts says', `${length}`);
      }
    },
  },
  'boxes-to-the-end': {
    title: 'Message boxes are read page by page while hasNext is true',
    basis: messaging('getMessageBoxes: minChatId (paging cursor); the result has messageBoxes and hasNext'),
    consequence: 'Chats are missing from the list.',
    async play(stage) {
      const ann = await stage.person('ann');
      const box = {
        id: ann.mid,
        midType: 0,
        unreadCount: '0',
        lastMessages: [],
        lastDeliveredMessageId: { deliveredTime: '1', messageId: '1' },
        lastSeenMessageId: '1',
      };
      stage.fault('getMessageBoxes', { answer: json({ messageBoxes: [box], hasNext: true }), times: 1 });
      await stage.start();
      if (stage.calls('getMessageBoxes').length === 0) await stage.asks(ann, '!boxes', BOXES);
      const first = await stage.reached(BOXES, () => stage.calls('getMessageBoxes')[0]);
      const second = await stage.expected(
        'a second page after hasNext: true',
        () => stage.calls('getMessageBoxes', first.id)[0],
        () => 'one call',
      );
      demandSame('minChatId', String(structOf(second).minChatId ?? ''), ann.mid);
      demand(argumentsOf(second).length >= 1, 'a request struct', second.body);
    },
  },
});

const tooMany =
  (field: string) =>
  (call: CallRecord): boolean => {
    const list = structOf(call)[field];
    return Array.isArray(list) && list.length > MOST_AT_ONCE;
  };
