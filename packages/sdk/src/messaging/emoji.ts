// Emoji of packs inside texts (wire form: the metadata REPLACE and STICON_OWNERSHIP; positions in UTF-16 code units).
import { type ProductSummary, sticonResourceTypes } from '@sealpost/contract';

/** An emoji of a pack that the account owns. */
export interface TextEmoji {
  /** The id of the pack. */
  readonly productId: string;
  /** The id of the emoji within its pack, such as `001`. */
  readonly emojiId: string;
  /** The name of the emoji, such as `(smile)`. The text contains the name, for programs that cannot show the emoji. */
  readonly name: string;
  readonly animated?: boolean;
}

const EMOJI_DIGITS = 3;

/**
 * Returns the emoji of a pack. The pack lists the names of its emoji in the order of their pictures: `001`, `002` etc.
 */
export function emojiOf({ id, attributes, productTypeSummary }: ProductSummary): TextEmoji[] {
  const names: string[] = JSON.parse(attributes?.texts ?? '[]');
  const animated = productTypeSummary.sticonSummary?.sticonResourceType === sticonResourceTypes.ANIMATION;
  return names.map((name, at) => ({
    productId: id,
    emojiId: String(at + 1).padStart(EMOJI_DIGITS, '0'),
    name,
    animated,
  }));
}

interface Place {
  readonly start: number;
  readonly emoji: TextEmoji;
}

/**
 * Returns the text with emoji. Where the text has the name of an emoji, the name becomes this emoji. An emoji whose
 * name is not in the text is added at the end.
 */
export function withEmoji(
  text: string,
  emoji: readonly TextEmoji[],
): { text: string; contentMetadata?: Record<string, string> } {
  if (emoji.length === 0) return { text };
  let whole = text;
  const places: Place[] = [];
  for (const one of emoji) {
    const starts = placesOf(text, one.name);
    if (starts.length === 0) {
      starts.push(whole.length);
      whole += one.name;
    }
    places.push(...starts.map((start) => ({ start, emoji: one })));
  }
  return { text: whole, contentMetadata: metadataOf(places.sort((a, b) => a.start - b.start)) };
}

function placesOf(text: string, name: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) starts.push(at);
  return starts;
}

function metadataOf(places: readonly Place[]): Record<string, string> {
  const resources = places.map(({ start, emoji: { name, productId, emojiId, animated } }) => ({
    S: start,
    E: start + name.length,
    productId,
    sticonId: emojiId,
    version: 1,
    resourceType: animated ? 'ANIMATION' : 'STATIC',
  }));
  const products = [...new Set(resources.map(({ productId }) => productId))];
  return { REPLACE: JSON.stringify({ sticon: { resources } }), STICON_OWNERSHIP: JSON.stringify(products) };
}
