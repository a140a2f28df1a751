// Plays a workload on a server, and reads what each account is shown afterwards.
import { createServer as createSocketServer } from 'node:net';
import {
  type Message,
  type MessageBox,
  messageRelationTypes,
  type Operation,
  settingsAttributes,
  settingsFields,
  updateChatAttributes,
} from '@sealpost/contract';
import { createRpcClient, type GatewayError, type RpcClient } from '@sealpost/sdk';
import { createDatabase, type DatabaseKind, readLog, startServer, type TestServer } from '../harness.ts';
import { admin } from '../people.ts';
import type { ChatRef, Command, Outcome, Setting, Workload } from './commands.ts';
import { nameOf } from './workload.ts';

export interface Player {
  readonly client: RpcClient;
  readonly mid: string;
  readonly userid: string;
}

export interface Answer {
  readonly outcome: Outcome;
  readonly reply: unknown;
}

export interface World {
  readonly server: TestServer;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly players: readonly Player[];
  readonly answers: Answer[];
  /**
   * The mids of chats, by the number of the command that created them. `messageIds` has the message ids, by the number
   * of the command that sent them.
   */
  readonly chatMids: Map<number, string>;
  readonly messageIds: Map<number, string>;
  play(command: Command): Promise<Answer>;
  close(): Promise<void>;
}

const BOXES_PER_PAGE = 3;
const MESSAGES_PER_PAGE = 7;
const SHOWN_SETTINGS: readonly Setting[] = [
  'privacyReceiveMessagesFromNotFriend',
  'privacySearchByUserid',
  'notificationEnable',
  'phoneRegistration',
];

/**
 * Starts a server with the accounts of a workload. Time passes only by the `wait` of commands, so that calls of the
 * same moment get the same time on every server.
 */
export async function startWorld(workload: Workload, database: DatabaseKind): Promise<World> {
  const own = database === 'postgres' ? await createDatabase() : undefined;
  const began = Date.now();
  let passed = 0;
  const server = await startServer({
    flags: { port: String(await freePort()), ...(own && { 'database-url': own.url }) },
    ports: { clock: { now: () => began + passed, monotonic: () => performance.now() } },
  });
  const players: Player[] = [];
  const extra: RpcClient[] = [];
  for (let i = 0; i < workload.people + workload.officials; i++) {
    if (i < workload.people) players.push(await server.user(nameOf(i)));
    else {
      const player = await official(server, nameOf(i));
      players.push(player);
      extra.push(player.client);
    }
    passed += 1;
  }
  const chatMids = new Map<number, string>();
  const messageIds = new Map<number, string>();
  const answers: Answer[] = [];
  const midOf = (ref: ChatRef): string =>
    'user' in ref ? (players[ref.user] as Player).mid : (chatMids.get(ref.chat) as string);
  const midsOf = (users: readonly number[]): string[] => users.map((user) => (players[user] as Player).mid);

  /** Makes the call of a command. The reqSeq of the call is made from the command's number. */
  function call(command: Command, n: number): Promise<unknown> {
    const { client } = players[command.by] as Player;
    const { TalkService, RelationService } = client;
    const reqSeq = 1000 + n;
    const chatRequest = (chat: number) => ({ reqSeq, chatMid: midOf({ chat }) });
    switch (command.do) {
      case 'send': {
        const relatedMessageId = command.replyTo === undefined ? undefined : (messageIds.get(command.replyTo) ?? '1');
        const reply = relatedMessageId && { relatedMessageId, messageRelationType: messageRelationTypes.REPLY };
        return TalkService.sendMessage(reqSeq, { to: midOf(command.to), text: command.text, ...reply });
      }
      case 'unsend':
        return TalkService.unsendMessage(reqSeq, messageIds.get(command.message) ?? '1');
      case 'react': {
        const reactionType = { predefinedReactionType: command.reaction as 2 };
        return TalkService.react({ reqSeq, messageId: messageIds.get(command.message) ?? '1', reactionType });
      }
      case 'cancelReaction':
        return TalkService.cancelReaction({ reqSeq, messageId: messageIds.get(command.message) ?? '1' });
      case 'read':
        return TalkService.sendChatChecked(reqSeq, midOf(command.in), messageIds.get(command.message ?? -1) ?? '0');
      case 'removeHistory':
        return TalkService.sendChatRemoved(reqSeq, midOf(command.in), messageIds.get(command.message ?? -1) ?? '0');
      case 'hide':
        return TalkService.setChatHiddenStatus({ reqSeq, chatMid: midOf(command.in), hidden: command.hidden });
      case 'postback':
        return TalkService.sendPostback({
          messageId: messageIds.get(command.message) ?? '1',
          url: 'data:choice',
          chatMID: midOf(command.in),
          originMID: midOf({ user: command.official }),
        });
      case 'add':
        return TalkService.findAndAddContactsByMid(reqSeq, 0, midsOf(command.users));
      case 'addFriend':
        return RelationService.addFriendByMid({ reqSeq, userMid: midOf({ user: command.user }) });
      case 'block':
        return TalkService.blockContact(reqSeq, midOf({ user: command.user }));
      case 'unblock':
        return TalkService.unblockContact(reqSeq, midOf({ user: command.user }));
      case 'blockRecommendation':
        return TalkService.blockRecommendation(reqSeq, midOf({ user: command.user }));
      case 'findByUserid':
        return TalkService.findContactByUserid((players[command.user] as Player).userid);
      case 'setContact':
        return TalkService.updateContactSetting(reqSeq, midOf({ user: command.user }), command.flag, command.value);
      case 'create': {
        const { room, name, users } = command;
        return TalkService.createChat({ reqSeq, type: room ? 1 : 0, name, targetUserMids: midsOf(users) });
      }
      case 'rename':
        return TalkService.updateChat({
          reqSeq,
          chat: { chatMid: midOf(command), chatName: command.name },
          updatedAttribute: updateChatAttributes.NAME,
        });
      case 'favorite':
        return TalkService.updateChat({
          reqSeq,
          chat: { chatMid: midOf(command), favoriteTimestamp: String(command.time) },
          updatedAttribute: updateChatAttributes.FAVORITE_TIMESTAMP,
        });
      case 'mute':
        return TalkService.updateChat({
          reqSeq,
          chat: { chatMid: midOf(command), notificationDisabled: command.muted },
          updatedAttribute: updateChatAttributes.NOTIFICATION_SETTING,
        });
      case 'invite':
        return TalkService.inviteIntoChat({ ...chatRequest(command.chat), targetUserMids: midsOf(command.users) });
      case 'inviteIntoRoom':
        return TalkService.inviteIntoRoom(reqSeq, midOf(command), midsOf(command.users));
      case 'remove':
        return TalkService.deleteOtherFromChat({ ...chatRequest(command.chat), targetUserMids: midsOf(command.users) });
      case 'cancelInvitation':
        return TalkService.cancelChatInvitation({
          ...chatRequest(command.chat),
          targetUserMids: midsOf(command.users),
        });
      case 'accept':
        return TalkService.acceptChatInvitation(chatRequest(command.chat));
      case 'reject':
        return TalkService.rejectChatInvitation(chatRequest(command.chat));
      case 'leave':
        return TalkService.deleteSelfFromChat(chatRequest(command.chat));
      case 'leaveRoom':
        return TalkService.leaveRoom(reqSeq, midOf(command));
      case 'setProfile':
        return TalkService.updateProfileAttributes(reqSeq, {
          profileAttributes: { [String(command.attribute)]: { value: command.value } },
        });
      case 'set':
        return TalkService.updateSettingsAttributes2(reqSeq, [attributeOf(command.setting)], {
          [command.setting]: command.value,
        });
      case 'repeat':
        return call(workload.commands[command.command] as Command, command.command);
    }
  }

  return {
    server,
    dataDir: server.dataDir,
    databaseUrl: own?.url,
    players,
    answers,
    chatMids,
    messageIds,
    async play(command) {
      const n = answers.length;
      passed += command.wait;
      const answer = await call(command, n).then(
        (reply) => ({ outcome: 'ok', reply }),
        (error: GatewayError) => ({ outcome: error.error ?? String(error), reply: undefined }),
      );
      answers.push(answer);
      if (answer.outcome === 'ok' && command.do === 'send') messageIds.set(n, (answer.reply as Message).id);
      if (answer.outcome === 'ok' && command.do === 'create')
        chatMids.set(n, (answer.reply as { chat: { chatMid: string } }).chat.chatMid);
      return answer;
    },
    async close() {
      for (const client of extra) client.close();
      await server.close();
      await own?.drop();
    },
  };
}

const attributeOf = (setting: Setting): number => settingsAttributes[settingsFields[setting].attribute];

async function official(server: TestServer, name: string): Promise<Player> {
  const password = `the secret of ${name}`;
  await admin(server, 'POST', '/accounts', { userid: name, password, displayName: name, kind: 'official' });
  const client = createRpcClient({ url: server.url });
  const { mid } = await client.login({ identifier: name, password });
  return { client, mid, userid: name };
}

/** Returns a free port. A server of a workload has a fixed port, so that its clients still find it after a restart. */
function freePort(): Promise<number> {
  const socket = createSocketServer();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as { port: number };
      socket.close(() => resolve(port));
    });
  });
}

export type AccountView = Awaited<ReturnType<typeof shownTo>>;

/** Returns everything that an account can read of its own state. */
export async function shownTo({ client }: Player, everybody: readonly string[], messageIds: readonly string[]) {
  const { TalkService } = client;
  const operations: Operation[] = await readLog(client);
  const mids = await TalkService.getAllChatMids({ withMemberChats: true, withInvitedChats: true });
  const chatMids = [...mids.memberChatMids, ...mids.invitedChatMids];
  const boxes = await boxesOf(client);
  const histories: Record<string, Message[]> = {};
  const recent: Record<string, Message[]> = {};
  for (const { id } of boxes) {
    histories[id] = await historyOf(client, id);
    recent[id] = await TalkService.getRecentMessagesV2(id, 5);
  }
  const byIds: Message[] = [];
  for (let i = 0; i < messageIds.length; i += 100)
    byIds.push(...(await TalkService.getMessagesByIds(messageIds.slice(i, i + 100))));
  return {
    operations,
    mids,
    chats: (await TalkService.getChats({ chatMids, withMembers: true, withInvitees: true })).chats,
    rooms: await TalkService.getRoomsV2(mids.memberChatMids.filter((mid) => mid.startsWith('r'))),
    boxes,
    byId: await TalkService.getMessageBoxesByIds({
      messageBoxIds: boxes.map(({ id }) => id),
      withUnreadCount: true,
      lastMessagesCount: 3,
    }),
    histories,
    recent,
    byIds,
    readRanges: await TalkService.getMessageReadRange(boxes.map(({ id }) => id)),
    contacts: await TalkService.getAllContactIds(),
    blocked: await TalkService.getBlockedContactIds(),
    blockedRecommendations: await TalkService.getBlockedRecommendationIds(),
    recommendations: await TalkService.getRecommendationIds(),
    favorites: await TalkService.getFavoriteMids(),
    records: (await TalkService.getContactsV2({ targetUserMids: [...everybody] })).contacts,
    profile: await TalkService.getProfile(),
    settings: await TalkService.getSettingsAttributes2(SHOWN_SETTINGS.map(attributeOf)),
  };
}

async function boxesOf({ TalkService }: RpcClient): Promise<MessageBox[]> {
  const found: MessageBox[] = [];
  for (let minChatId: string | undefined; ; ) {
    const page = await TalkService.getMessageBoxes({
      withUnreadCount: true,
      messageBoxCountLimit: BOXES_PER_PAGE,
      lastMessagesPerMessageBoxCount: 2,
      ...(minChatId !== undefined && { minChatId }),
    });
    found.push(...page.messageBoxes);
    minChatId = page.messageBoxes.at(-1)?.id;
    if (!page.hasNext) return found;
  }
}

/** Returns all messages of a chat, the oldest first. */
async function historyOf({ TalkService }: RpcClient, chat: string): Promise<Message[]> {
  const found: Message[] = [];
  for (let end: { messageId: string; deliveredTime: string } | undefined; ; ) {
    const page = await TalkService.getPreviousMessagesV2WithRequest({
      messageBoxId: chat,
      messagesCount: MESSAGES_PER_PAGE,
      ...(end && { endMessageId: end }),
    });
    found.push(...page);
    const last = page.at(-1);
    if (!last) return found.reverse();
    end = { messageId: last.id, deliveredTime: last.deliveredTime };
  }
}
