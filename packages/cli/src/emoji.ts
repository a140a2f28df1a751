// Emoji of packs inside of texts (wire form: the metadata REPLACE and STICON_OWNERSHIP; positions in UTF-16 code units).
import { sticonResourceTypes } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
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

interface Place {
  readonly start: number;
  readonly emoji: Emoji;
}

/** Returns the text with emoji. Each name of an emoji in the text becomes it; an emoji without one is put at the end. */
export async function withEmoji(
  client: RpcClient,
  text: string,
  wanted: readonly string[],
): Promise<{ text: string; contentMetadata: Record<string, string> }> {
  const owned = new Map((await ownedEmoji(client)).map((emoji) => [emoji.emoji, emoji]));
  let whole = text;
  const places: Place[] = [];
  for (const name of new Set(wanted)) {
    const emoji = owned.get(name);
    if (!emoji) throw new CliError(`You do not own the emoji "${name}". See: sealpost stickers emoji`, exitCodes.usage);
    const starts = placesOf(text, emoji.text);
    if (starts.length === 0) {
      starts.push(whole.length);
      whole += emoji.text;
    }
    places.push(...starts.map((start) => ({ start, emoji })));
  }
  return { text: whole, contentMetadata: metadataOf(places.sort((a, b) => a.start - b.start)) };
}

function placesOf(text: string, name: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) starts.push(at);
  return starts;
}

function metadataOf(places: readonly Place[]): Record<string, string> {
  const resources = places.map(({ start, emoji }) => {
    const [productId, sticonId] = emoji.emoji.split('/');
    const resourceType = emoji.moving ? 'ANIMATION' : 'STATIC';
    return { S: start, E: start + emoji.text.length, productId, sticonId, version: 1, resourceType };
  });
  const products = [...new Set(resources.map(({ productId }) => productId))];
  return {
    REPLACE: JSON.stringify({ sticon: { resources } }),
    STICON_OWNERSHIP: JSON.stringify(products),
  };
}
