// The conversations in the screenshots, in the order of time.
import { wav } from '../../packages/web/test/files.ts';
import { type Photo, photos } from './art.ts';
import type { Cast, Who } from './cast.ts';
import { ago, type StoryClock } from './fixed.ts';

/** An event of the story. `at` is the number of minutes before the screenshots are taken. */
interface Happening {
  readonly at: number;
  readonly happens: () => Promise<unknown>;
}

interface Said {
  /** A name by which later replies refer to the message. */
  readonly as?: string;
  readonly replyTo?: string;
  readonly mentions?: readonly Who[];
  readonly mode?: 'plain';
}

/** The mids of the group chats. */
export interface Groups {
  readonly walk: string;
  readonly board: string;
  readonly kitchen: string;
  readonly books: string;
}

export interface Told {
  readonly groups: Groups;
  /** Runs the last events of the story, while the browsers are open. */
  readonly goOn: () => Promise<void>;
}

/** The browsers are open during the events of the last minute. */
const LIVE_MINUTES = 1;

/** Runs all events of the story, each at its time, except those of the last minute. */
export async function tell(cast: Cast, clock: StoryClock): Promise<Told> {
  clock.minutesBefore(ago('10:00', 13));
  // This message is sealed for a key that none of Maya's devices has any more.
  await cast.client.nils.messaging.sendText(cast.mid.maya, 'The key of the studio is under the blue pot.');
  await cast.client.maya.sealing.renewOwnKey();
  clock.minutesBefore(ago('10:30', 13));
  const groups = await found(cast);
  const story = new Story(cast, groups, await photos());
  const happenings = [
    ...story.withSakura(),
    ...story.inTheWalk(),
    ...story.withNils(),
    ...story.inTheList(),
    ...story.onTheBoard(),
  ];
  const inOrder = happenings.toSorted((one, other) => other.at - one.at);
  const follow = async (some: readonly Happening[]): Promise<void> => {
    for (const { at, happens } of some) {
      clock.minutesBefore(at);
      await happens();
    }
  };
  await follow(inOrder.filter(({ at }) => at > LIVE_MINUTES));
  clock.minutesBefore(LIVE_MINUTES);
  await cast.client.maya.synced();
  const goOn = async (): Promise<void> => {
    await follow(inOrder.filter(({ at }) => at <= LIVE_MINUTES));
    clock.minutesBefore(0);
  };
  return { groups, goOn };
}

async function found({ client, mid }: Cast): Promise<Groups> {
  const make = async (by: Who, name: string, others: readonly Who[]): Promise<string> => {
    const group = await client[by].chats.createGroup({ name, members: others.map((who) => mid[who]) });
    for (const who of others) await client[who].chats.accept(group);
    return group;
  };
  const walk = await make('maya', 'Harbour walk 🌊', ['sakura', 'leo', 'ben', 'anong', 'ines']);
  const board = await make('ruth', 'Neighbourhood noticeboard', ['maya', 'tom', 'priya', 'omar']);
  const kitchen = await make('priya', 'Thursday kitchen crew and whoever brought dessert', ['maya', 'ruth']);
  const books = await client.ines.chats.createGroup({ name: 'Book club', members: [mid.maya, mid.ruth] });
  await client.maya.chats.setFavorite(walk, true);
  await client.maya.chats.setFavorite(mid.sakura, true);
  await client.maya.chats.setMuted(board, true);
  return { walk, board, kitchen, books };
}

class Story {
  readonly #cast: Cast;
  readonly #groups: Groups;
  readonly #photos: Readonly<Record<'harbour' | 'pier', Photo>>;
  /** The ids of messages, by their names in the story. */
  readonly #ids = new Map<string, string>();

  constructor(cast: Cast, groups: Groups, drawn: Readonly<Record<'harbour' | 'pier', Photo>>) {
    this.#cast = cast;
    this.#groups = groups;
    this.#photos = drawn;
  }

  withSakura(): Happening[] {
    const { maya } = this.#cast.mid;
    const { sakura } = this.#cast.mid;
    return [
      this.#text(ago('18:20', 1), 'sakura', maya, 'Are we still on for the harbour tomorrow?'),
      this.#text(ago('18:24', 1), 'maya', sakura, 'Yes! I want to be there before the fog lifts.'),
      this.#text(ago('18:24', 1), 'maya', sakura, 'Bring the warm jacket this time 😄', { as: 'jacket' }),
      this.#react(ago('18:30', 1), 'sakura', 'jacket', 'FUN'),
      this.#text(ago('18:31', 1), 'sakura', maya, 'もちろん。お茶も持って行きますね 🍵', { as: 'tea' }),
      this.#react(ago('18:33', 1), 'maya', 'tea', 'LOVE'),
      this.#read(ago('18:33', 1), 'maya', sakura),
      this.#photo(ago('7:02'), 'sakura', maya, 'harbour'),
      this.#text(ago('7:03'), 'sakura', maya, 'Look what you are missing', { as: 'look' }),
      this.#text(ago('7:11'), 'maya', sakura, 'So beautiful. Ten minutes!', { replyTo: 'look' }),
      this.#sticker(ago('7:11'), 'maya', sakura, 2),
      this.#read(ago('7:12'), 'sakura', maya),
      this.#voice(ago('7:26'), 'sakura', maya, 14_000),
      this.#place(ago('7:27'), 'sakura', maya),
      this.#text(ago('9:30'), 'maya', sakura, 'That was lovely. Same time on Saturday?', { as: 'again' }),
      this.#read(ago('9:32'), 'sakura', maya),
      this.#react(ago('9:32'), 'sakura', 'again', 'LOVE'),
      this.#text(ago('9:33'), 'sakura', maya, 'はい、ぜひ！ See you at the pier 🌅'),
      this.#read(ago('9:34'), 'maya', sakura),
    ];
  }

  inTheWalk(): Happening[] {
    const { walk } = this.#groups;
    return [
      this.#text(ago('17:02', 1), 'ben', walk, 'Who is in for Saturday? Tide is low at ten.', { as: 'tide' }),
      this.#text(ago('17:05', 1), 'sakura', walk, '行きます！'),
      this.#text(ago('17:06', 1), 'anong', walk, 'ไปด้วยค่ะ เจอกันที่ท่าเรือ'),
      this.#text(ago('17:10', 1), 'maya', walk, 'Me too. I can take two people in the car.', { as: 'car' }),
      this.#react(ago('17:11', 1), 'anong', 'car', 'NICE'),
      this.#react(ago('17:11', 1), 'ines', 'car', 'NICE'),
      this.#react(ago('17:12', 1), 'ben', 'car', 'LOVE'),
      this.#read(ago('17:13', 1), 'sakura', walk),
      this.#read(ago('17:13', 1), 'anong', walk),
      this.#read(ago('17:13', 1), 'ines', walk),
      this.#read(ago('17:13', 1), 'ben', walk),
      this.#photo(ago('8:50'), 'ines', walk, 'pier'),
      this.#text(ago('8:51'), 'ines', walk, 'This is where we meet: the red roof at the end of the pier.'),
      this.#read(ago('8:55'), 'maya', walk),
      this.#text(ago('9:21'), 'leo', walk, 'Do we need to book the boat?', { as: 'boat' }),
      this.#text(ago('9:22'), 'ben', walk, 'Done, it holds eight: https://harbour.example/boats/8', {
        replyTo: 'boat',
      }),
      this.#text(ago('9:40'), 'ben', walk, '@Maya Lindqvist can you bring the old map?', { mentions: ['maya'] }),
      this.#text(ago('9:40'), 'anong', walk, '🗺️👀'),
    ];
  }

  withNils(): Happening[] {
    const { mid, client } = this.#cast;
    const { nils, maya } = mid;
    return [
      this.#text(ago('11:40', 2), 'maya', nils, 'I have the new drawings for the studio.'),
      this.#file(ago('11:41', 2), 'maya', nils, 'studio-plan-final-2.pdf', 184_320),
      this.#read(ago('11:50', 2), 'nils', maya),
      this.#text(ago('11:52', 2), 'nils', maya, 'Great, thank you! I will look at them tonight.'),
      { at: ago('8:05'), happens: () => client.nils.profile.settings.set({ e2eeEnable: false }) },
      this.#text(ago('8:06'), 'nils', maya, 'My phone broke, so I am on the old one.', { mode: 'plain' }),
      this.#read(ago('8:10'), 'maya', nils),
    ];
  }

  /** The newest messages of the other chats in the list, one for each chat. */
  inTheList(): Happening[] {
    const { mid } = this.#cast;
    const { maya } = mid;
    return [
      this.#text(ago('15:00', 12), 'tom', maya, 'The bike is ready, come by any time.'),
      this.#read(ago('15:10', 12), 'maya', mid.tom),
      this.#text(ago('12:30', 6), 'library', maya, 'Your book is due on Friday.'),
      this.#read(ago('12:40', 6), 'maya', mid.library),
      this.#text(ago('20:11', 4), 'omar', maya, 'مساء الخير، متى نلتقي؟'),
      this.#read(ago('20:15', 4), 'maya', mid.omar),
      this.#text(ago('19:45', 3), 'priya', this.#groups.kitchen, 'I bring the big pot.'),
      this.#read(ago('19:50', 3), 'maya', this.#groups.kitchen),
      this.#voice(ago('21:02', 2), 'ruth', maya, 47_000),
      this.#read(ago('21:03', 2), 'maya', mid.ruth),
      this.#text(ago('13:15', 1), 'maya', mid.ines, 'Thank you, that helps a lot.'),
      this.#sticker(ago('16:40', 1), 'meihua', maya, 0),
      this.#read(ago('16:41', 1), 'maya', mid.meihua),
      this.#text(ago('7:58'), 'wilhelmina', maya, 'Which of the two invitations do you prefer?'),
      this.#read(ago('7:59'), 'maya', mid.wilhelmina),
      this.#text(ago('8:44'), 'ben', maya, '🎉🎉🥳'),
      this.#read(ago('8:45'), 'maya', mid.ben),
      this.#text(ago('9:36'), 'anong', maya, 'พรุ่งนี้ไปตลาดกันไหม'),
      this.#text(ago('9:37'), 'anong', maya, 'จะซื้อมะม่วงกับข้าวเหนียวมาฝากด้วยนะ'),
    ];
  }

  /** More unread messages than the list shows as a number. */
  onTheBoard(): Happening[] {
    const speakers = ['ruth', 'tom', 'priya', 'omar'] as const;
    return Array.from({ length: 112 }, (_, i) =>
      this.#text(ago('9:39') + 112 - i, speakers[i % 4] ?? 'ruth', this.#groups.board, boardLines[i % 5] ?? ''),
    );
  }

  #text(at: number, by: Who, to: string, text: string, { as, replyTo, mentions = [], mode }: Said = {}): Happening {
    const happens = async (): Promise<void> => {
      const { message } = await this.#cast.client[by].messaging.sendText(to, text, {
        replyTo: replyTo === undefined ? undefined : this.#ids.get(replyTo),
        mode,
        mentions: mentions.map((who) => this.#cast.mid[who]),
      });
      if (as !== undefined) this.#ids.set(as, message.id);
    };
    return { at, happens };
  }

  #react(at: number, by: Who, to: string, sign: 'LOVE' | 'NICE' | 'FUN'): Happening {
    return { at, happens: () => this.#cast.client[by].messaging.react(this.#ids.get(to) ?? '', sign) };
  }

  #read(at: number, by: Who, chat: string): Happening {
    const happens = async (): Promise<void> => {
      const client = this.#cast.client[by];
      await client.synced();
      await client.messaging.markRead(chat);
    };
    return { at, happens };
  }

  #photo(at: number, by: Who, to: string, which: 'harbour' | 'pier'): Happening {
    const { name, bytes, width, height } = this.#photos[which];
    const media = { kind: 'image', name, bytes: new Blob([bytes]), preview: { bytes, width, height } } as const;
    return { at, happens: () => this.#cast.client[by].messaging.sendFile(to, media) };
  }

  #voice(at: number, by: Who, to: string, duration: number): Happening {
    const bytes = new Blob([new Uint8Array(wav('voice.wav', duration / 1000).buffer)]);
    const media = { kind: 'audio', name: 'voice.wav', bytes, duration } as const;
    return { at, happens: () => this.#cast.client[by].messaging.sendFile(to, media) };
  }

  #file(at: number, by: Who, to: string, name: string, size: number): Happening {
    const media = { kind: 'file', name, bytes: new Blob([new Uint8Array(size)]) } as const;
    return { at, happens: () => this.#cast.client[by].messaging.sendFile(to, media) };
  }

  #place(at: number, by: Who, to: string): Happening {
    const place = { title: 'Harbour Café', address: '3 Quay Street', latitude: 51.44966, longitude: -2.59863 };
    return { at, happens: () => this.#cast.client[by].messaging.sendLocation(to, place) };
  }

  #sticker(at: number, by: Who, to: string, number: number): Happening {
    const happens = async (): Promise<void> => {
      const { messaging, stickers } = this.#cast.client[by];
      const pack = (await stickers.owned('stickers')).at(-1);
      const first = pack?.productTypeSummary.stickerSummary?.stickerIdRanges?.[0]?.start;
      if (!pack || first === undefined) throw new Error(`${by} owns no stickers`);
      const stickerId = String(BigInt(first) + BigInt(number));
      await messaging.sendSticker(to, { packageId: pack.id, stickerId, version: String(pack.latestVersion) });
    };
    return { at, happens };
  }
}

const boardLines = [
  'Has anybody seen a grey cat with a white paw?',
  'The street will be closed on Thursday morning.',
  'I have six boxes of apples to give away.',
  'Thank you all, the cat is home again.',
  'Who has a long ladder for an hour?',
];
