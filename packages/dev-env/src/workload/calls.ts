// Makes the calls for the commands of a workload.
import { messageRelationTypes, settingsAttributes, settingsFields, updateChatAttributes } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { ChatRef, Command, CommandOf, Setting, Workload } from './commands.ts';

export interface Player {
  readonly client: RpcClient;
  readonly mid: string;
  readonly userid: string;
}

/** The state of a played workload that later calls need. */
export interface Game {
  readonly workload: Workload;
  readonly players: readonly Player[];
  /**
   * The mids of the created chats, by the number of the command that created each. `messageIds` has the ids of the sent
   * messages, by the number of the command that sent each.
   */
  readonly chatMids: ReadonlyMap<number, string>;
  readonly messageIds: ReadonlyMap<number, string>;
}

type MessageCommand = CommandOf<
  'send' | 'unsend' | 'react' | 'cancelReaction' | 'read' | 'removeHistory' | 'hide' | 'postback'
>;
type AttributeCommand = CommandOf<'rename' | 'favorite' | 'mute'>;
type GroupCommand = CommandOf<
  | ('create' | 'invite' | 'inviteIntoRoom' | 'remove' | 'cancelInvitation')
  | ('accept' | 'reject' | 'leave' | 'leaveRoom')
>;
type AccountCommand = Exclude<Command, MessageCommand | AttributeCommand | GroupCommand | CommandOf<'repeat'>>;

/** Makes the call for command number `n`. The reqSeq of the call is derived from this number. */
export const makeCall = (game: Game, command: Command, n: number): Promise<unknown> =>
  callWith(game, command, 1000 + n);

/** Makes the call for a command, with a reqSeq. */
export function callWith(game: Game, command: Command, reqSeq: number): Promise<unknown> {
  switch (command.do) {
    case 'send':
    case 'unsend':
    case 'react':
    case 'cancelReaction':
    case 'read':
    case 'removeHistory':
    case 'hide':
    case 'postback':
      return callAboutMessages(game, command, reqSeq);
    case 'rename':
    case 'favorite':
    case 'mute':
      return updateChat(game, command, reqSeq);
    case 'create':
    case 'invite':
    case 'inviteIntoRoom':
    case 'remove':
    case 'cancelInvitation':
    case 'accept':
    case 'reject':
    case 'leave':
    case 'leaveRoom':
      return callAboutMembers(game, command, reqSeq);
    case 'repeat':
      return makeCall(game, game.workload.commands[command.command] as Command, command.command);
    default:
      return callAboutAccounts(game, command, reqSeq);
  }
}

const playerOf = ({ players }: Game, account: number): Player => players[account] as Player;
const midsOf = (game: Game, users: readonly number[]): string[] => users.map((user) => playerOf(game, user).mid);
const midOf = (game: Game, ref: ChatRef): string =>
  'user' in ref ? playerOf(game, ref.user).mid : (game.chatMids.get(ref.chat) as string);

function callAboutMessages(game: Game, command: MessageCommand, reqSeq: number): Promise<unknown> {
  const { TalkService } = playerOf(game, command.by).client;
  const idOf = (n: number | undefined, missing = '1'): string => game.messageIds.get(n ?? -1) ?? missing;
  switch (command.do) {
    case 'send': {
      const relatedMessageId = command.replyTo === undefined ? undefined : idOf(command.replyTo);
      const reply = relatedMessageId && { relatedMessageId, messageRelationType: messageRelationTypes.REPLY };
      return TalkService.sendMessage(reqSeq, { to: midOf(game, command.to), text: command.text, ...reply });
    }
    case 'unsend':
      return TalkService.unsendMessage(reqSeq, idOf(command.message));
    case 'react': {
      const reactionType = { predefinedReactionType: command.reaction as 2 };
      return TalkService.react({ reqSeq, messageId: idOf(command.message), reactionType });
    }
    case 'cancelReaction':
      return TalkService.cancelReaction({ reqSeq, messageId: idOf(command.message) });
    case 'read':
      return TalkService.sendChatChecked(reqSeq, midOf(game, command.in), idOf(command.message, '0'));
    case 'removeHistory':
      return TalkService.sendChatRemoved(reqSeq, midOf(game, command.in), idOf(command.message, '0'));
    case 'hide':
      return TalkService.setChatHiddenStatus({ reqSeq, chatMid: midOf(game, command.in), hidden: command.hidden });
    case 'postback':
      return TalkService.sendPostback({
        messageId: idOf(command.message),
        url: 'data:choice',
        chatMID: midOf(game, command.in),
        originMID: midOf(game, { user: command.official }),
      });
  }
}

function callAboutAccounts(game: Game, command: AccountCommand, reqSeq: number): Promise<unknown> {
  const { TalkService, RelationService } = playerOf(game, command.by).client;
  switch (command.do) {
    case 'add':
      return TalkService.findAndAddContactsByMid(reqSeq, 0, midsOf(game, command.users));
    case 'addFriend':
      return RelationService.addFriendByMid({ reqSeq, userMid: playerOf(game, command.user).mid });
    case 'block':
      return TalkService.blockContact(reqSeq, playerOf(game, command.user).mid);
    case 'unblock':
      return TalkService.unblockContact(reqSeq, playerOf(game, command.user).mid);
    case 'blockRecommendation':
      return TalkService.blockRecommendation(reqSeq, playerOf(game, command.user).mid);
    case 'findByUserid':
      return TalkService.findContactByUserid(playerOf(game, command.user).userid);
    case 'setContact': {
      const { mid } = playerOf(game, command.user);
      return TalkService.updateContactSetting(reqSeq, mid, command.flag, command.value);
    }
    case 'setProfile':
      return TalkService.updateProfileAttributes(reqSeq, {
        profileAttributes: { [String(command.attribute)]: { value: command.value } },
      });
    case 'set':
      return TalkService.updateSettingsAttributes2(reqSeq, [attributeOf(command.setting)], {
        [command.setting]: command.value,
      });
  }
}

function updateChat(game: Game, command: AttributeCommand, reqSeq: number): Promise<unknown> {
  const { TalkService } = playerOf(game, command.by).client;
  const chatMid = midOf(game, command);
  switch (command.do) {
    case 'rename':
      return TalkService.updateChat({
        reqSeq,
        chat: { chatMid, chatName: command.name },
        updatedAttribute: updateChatAttributes.NAME,
      });
    case 'favorite':
      return TalkService.updateChat({
        reqSeq,
        chat: { chatMid, favoriteTimestamp: String(command.time) },
        updatedAttribute: updateChatAttributes.FAVORITE_TIMESTAMP,
      });
    case 'mute':
      return TalkService.updateChat({
        reqSeq,
        chat: { chatMid, notificationDisabled: command.muted },
        updatedAttribute: updateChatAttributes.NOTIFICATION_SETTING,
      });
  }
}

function callAboutMembers(game: Game, command: GroupCommand, reqSeq: number): Promise<unknown> {
  const { TalkService } = playerOf(game, command.by).client;
  if (command.do === 'create') {
    const { room, name, users } = command;
    return TalkService.createChat({ reqSeq, type: room ? 1 : 0, name, targetUserMids: midsOf(game, users) });
  }
  const chatMid = midOf(game, command);
  switch (command.do) {
    case 'invite':
      return TalkService.inviteIntoChat({ reqSeq, chatMid, targetUserMids: midsOf(game, command.users) });
    case 'inviteIntoRoom':
      return TalkService.inviteIntoRoom(reqSeq, chatMid, midsOf(game, command.users));
    case 'remove':
      return TalkService.deleteOtherFromChat({ reqSeq, chatMid, targetUserMids: midsOf(game, command.users) });
    case 'cancelInvitation':
      return TalkService.cancelChatInvitation({ reqSeq, chatMid, targetUserMids: midsOf(game, command.users) });
    case 'accept':
      return TalkService.acceptChatInvitation({ reqSeq, chatMid });
    case 'reject':
      return TalkService.rejectChatInvitation({ reqSeq, chatMid });
    case 'leave':
      return TalkService.deleteSelfFromChat({ reqSeq, chatMid });
    case 'leaveRoom':
      return TalkService.leaveRoom(reqSeq, chatMid);
  }
}

export const attributeOf = (setting: Setting): number => settingsAttributes[settingsFields[setting].attribute];
