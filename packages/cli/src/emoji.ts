// Emoji of packs inside of texts, by the names that `send --emoji` takes.
import { sticonResourceTypes } from '@sealpost/contract';
import { type RpcClient, type TextEmoji, withEmoji } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';
import { ownedPacks } from './owned-packs.ts';

export interface Emoji {
  /** The pack and the emoji, as `send --emoji` takes them. */
  readonly emoji: string;
  /** The name of the emoji, which stands in the text of messages. */
  readonly text: string;
  readonly pack: string;
  readonly moving: boolean;
}

const DIGITS = 3;

/** Returns all emoji that the account owns. A pack tells their names in the order of the pictures `001`, `002` etc. */
export async function ownedEmoji(client: RpcClient): Promise<Emoji[]> {
  return (await ownedPacks(client, 'sticonshop')).flatMap(({ id, name, texts, productTypeSummary }) =>
    texts.map((text, i) => ({
      emoji: `${id}/${String(i + 1).padStart(DIGITS, '0')}`,
      text,
      pack: name,
      moving: productTypeSummary.sticonSummary?.sticonResourceType === sticonResourceTypes.ANIMATION,
    })),
  );
}

/** Returns the text with emoji of the account, which are named as `send --emoji` takes them. */
export async function withOwnedEmoji(
  client: RpcClient,
  text: string,
  wanted: readonly string[],
): Promise<ReturnType<typeof withEmoji>> {
  const owned = new Map((await ownedEmoji(client)).map((emoji) => [emoji.emoji, emoji]));
  const emoji = [...new Set(wanted)].map((name): TextEmoji => {
    const found = owned.get(name);
    if (!found) throw new CliError(`You do not own the emoji "${name}". See: sealpost stickers emoji`, exitCodes.usage);
    const [productId = '', emojiId = ''] = name.split('/');
    return { productId, emojiId, name: found.text, animated: found.moving };
  });
  return withEmoji(text, emoji);
}
