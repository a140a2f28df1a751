// Handles emoji of packs inside texts. Emoji are named as in `send --emoji`.
import { sticonResourceTypes } from '@sealpost/contract';
import { type RpcClient, type TextEmoji, withEmoji } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';
import { ownedPacks } from './owned-packs.ts';

export interface Emoji {
  /** The ids of the pack and the emoji in the form of `send --emoji`, for example `<pack>/001`. */
  readonly emoji: string;
  /** The text that stands for the emoji in messages. */
  readonly text: string;
  readonly pack: string;
  readonly moving: boolean;
}

const DIGITS = 3;

/**
 * Returns all emoji that the account owns. A pack lists the texts of its emoji in the order of their pictures: `001`,
 * `002` and so on.
 */
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

/** Returns the text with the wanted emoji, which must belong to the account. They are named as in `send --emoji`. */
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
