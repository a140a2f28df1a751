// The methods of the messaging topic by their wire names.
import { contentTypes, limits, mediaMessageFlows } from '@sealpost/contract';
import type { messaging } from '@sealpost/contract/schemas';
import { fingerprintOf, isKey } from '../../platform/idempotency/mutations.ts';
import { type Handlers, RawJson, type UserCall } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { createBoxes } from './boxes.ts';
import { requireContent } from './content.ts';
import { createHeldConversations, createReadableChats, nothingThere } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { hideChat } from './hide-chat.ts';
import type { ChangeDeps } from './message-change.ts';
import { sendPostback } from './postback.ts';
import * as q from './queries.ts';
import { createReactions } from './reactions.ts';
import { moveReadMark } from './read-marks.ts';
import { readRanges } from './read-ranges.ts';
import { createReading } from './reading.ts';
import { removeHistory } from './remove-history.ts';
import { createSender, type SendDeps } from './send-message.ts';
import { unsendMessage } from './unsend-message.ts';

/** Returns whether media in a chat must be sealed, judged by what the caller can see of the chat. */
export type MediaFlow = (reader: Reader, call: UserCall, chatMid: string) => Promise<boolean>;

export interface MessagingDeps extends Omit<SendDeps, 'conversations'>, Omit<ChangeDeps, 'conversations'> {
  readonly groups: GroupChats;
  readonly sealed: MediaFlow;
}

const FLOW_KEYS = ['IMAGE', 'VIDEO', 'AUDIO', 'FILE'] as const;

export function messagingHandlers(deps: MessagingDeps): Handlers<keyof typeof messaging> {
  const { store, log, groups } = deps;
  const chats = createReadableChats(groups);
  const changing = { ...deps, conversations: createHeldConversations(groups) };
  const send = createSender(changing);
  const reactions = createReactions(changing);
  const boxes = createBoxes(deps);
  const read = createReading({ store, groups });

  /** Returns whether the caller is an official account. Only content types for official accounts need this query. */
  async function isOfficial(call: UserCall): Promise<boolean> {
    const account = await store.read((reader) => reader.one(q.accountByMid, call.caller.mid));
    return account?.kind === 'official';
  }

  return {
    'TalkService.sendMessage': async (call, reqSeq, message) => {
      const official = (message.contentType ?? 0) >= contentTypes.HTML && (await isOfficial(call));
      requireContent(message, call.caller.mid, official);
      const fingerprint = isKey(reqSeq) ? fingerprintOf(call.method, call.args) : undefined;
      return new RawJson(await send({ caller: call.caller, reqSeq, fingerprint, message }));
    },
    'TalkService.unsendMessage': unsendMessage(changing),
    'TalkService.sendChatChecked': moveReadMark(changing),
    'TalkService.sendChatRemoved': removeHistory(changing),
    'TalkService.setChatHiddenStatus': hideChat(changing),
    'TalkService.react': reactions.react,
    'TalkService.cancelReaction': reactions.cancelReaction,
    'TalkService.sendPostback': sendPostback(changing),

    'TalkService.determineMediaMessageFlow': async (call, { chatMid }) =>
      store.read(async (reader) => {
        if (!(await chats.find(reader, call.caller, chatMid))) nothingThere('request.chatMid', chatMid);
        return mediaFlows(await deps.sealed(reader, call, chatMid));
      }),

    'TalkService.getMessageReadRange': async (call, chatIds) =>
      store.read(async (reader) => {
        const found = [];
        for (const chatId of new Set(chatIds)) {
          const box = (await chats.find(reader, call.caller, chatId))?.box;
          if (box) found.push({ chatId, ranges: await readRanges(reader, groups, box) });
        }
        return found;
      }),

    'TalkService.getMessageBoxes': boxes.page,
    'TalkService.getMessageBoxesByIds': boxes.byIds,

    'TalkService.getMessagesByIds': read.byIds,
    'TalkService.getPreviousMessagesV2WithRequest': read.previous,
    'TalkService.getRecentMessagesV2': read.recent,

    'TalkService.getLastOpRevision': async (call) =>
      String((await store.read((reader) => log.head(reader, call.caller.accountId))).revision),
  };
}

/** Returns the upload form for each kind of media: V2 for sealed media, V1 for plain media. */
function mediaFlows(sealed: boolean) {
  const flow = sealed ? mediaMessageFlows.V2 : mediaMessageFlows.V1;
  const keys = FLOW_KEYS.flatMap((name) => [name, String(contentTypes[name])]);
  return {
    flowMap: Object.fromEntries(keys.map((key) => [key, flow])),
    cacheTtlMillis: String(limits.mediaFlowTtlMs.value),
  };
}
