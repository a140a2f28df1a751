// Counts the messages and media that a retention time would remove: the total, by age, and by chat. The messages are
// read in pages, so that nobody waits for the count.
import { firstIdAt } from '../../platform/kernel/ids.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import * as q from './queries.ts';

export interface Sum {
  messages: number;
  objects: number;
  bytes: number;
}

export interface Counted {
  readonly all: Sum;
  /** One entry for each range of ages, youngest first. `fromDays` is the lower limit of the range. */
  readonly byAge: readonly (Sum & { readonly fromDays: number })[];
  readonly largestChats: readonly (Sum & { readonly chatMids: readonly string[] })[];
}

const DAY_MS = 86_400_000;
const PAGE = 1_000;
const LARGEST = 10;
/** Lower limits of the ranges of ages, in days. */
const AGES = [7, 30, 90, 180, 365, 730, 1_825];
const SIDES = ['', '__ud-preview', '__ud-hash'];

const nothing = (): Sum => ({ messages: 0, objects: 0, bytes: 0 });

/** Counts the messages that are older than some days, with the media that would be removed with them. */
export async function countOld(store: Store, now: number, days: number): Promise<Counted> {
  const before = firstIdAt(now - days * DAY_MS);
  const all = nothing();
  const ages = [days, ...AGES.filter((age) => age > days)].map((fromDays) => ({
    ...nothing(),
    fromDays,
    before: firstIdAt(now - fromDays * DAY_MS),
  }));
  const chats = new Map<number, Sum>();
  for (let after = 0; ; ) {
    const { messages, objects } = await store.read((reader) => readPage(reader, after, before));
    for (const { id, chat_id } of messages) {
      const chat = chats.get(chat_id) ?? nothing();
      chats.set(chat_id, chat);
      // The last range of ages whose limit is above the message's id. There is one, because the page ends at the first
      // limit.
      const age = ages.findLast((candidate) => id < candidate.before) ?? all;
      for (const sum of new Set([all, chat, age])) {
        sum.messages += 1;
        for (const bytes of objects.get(id) ?? []) {
          sum.objects += 1;
          sum.bytes += bytes;
        }
      }
    }
    if (messages.length < PAGE) break;
    after = messages.at(-1)?.id ?? before;
  }
  return { all, byAge: ages.map(({ before: _limit, ...age }) => age), largestChats: await largest(store, chats) };
}

/** Returns a page of messages, and the bytes of the objects that would be removed with each message. */
async function readPage(
  reader: Reader,
  after: number,
  before: number,
): Promise<{ messages: q.CountedMessage[]; objects: ReadonlyMap<number, number[]> }> {
  const messages = await reader.all(q.messagesAfter, after, before, PAGE);
  const own = messages.flatMap(({ id, sender_id }) => SIDES.map((side) => [id, sender_id, String(id), `${id}${side}`]));
  const carried = await reader.each(
    q.lastCarried,
    messages.map(({ chat_id, id }) => [chat_id, id]),
  );
  const named = carried.flatMap(({ message_id, owner_id, oid }) =>
    SIDES.map((side) => [message_id, owner_id, `${oid}${side}`]),
  );
  const found = [...(await reader.each(q.ownObjects, own)), ...(await reader.each(q.carriedObjects, named))];
  const objects = new Map<number, number[]>();
  for (const { message_id, bytes } of found) objects.set(message_id, [...(objects.get(message_id) ?? []), bytes]);
  return { messages, objects };
}

async function largest(store: Store, chats: ReadonlyMap<number, Sum>): Promise<Counted['largestChats']> {
  const most = [...chats].sort(([, a], [, b]) => b.bytes - a.bytes || b.messages - a.messages).slice(0, LARGEST);
  return store.read((reader) =>
    Promise.all(
      most.map(async ([chatId, sum]) => ({
        chatMids: (await reader.all(q.midsOfChat, chatId)).map((row) => row.chat_mid),
        ...sum,
      })),
    ),
  );
}
