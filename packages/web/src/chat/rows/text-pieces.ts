// Cuts the text of a message into plain text, links, mentions and emoji of packs. No part of a message is ever treated
// as HTML.
import type { StoredMessage } from '@sealpost/sdk';

export interface Piece {
  readonly kind: 'text' | 'link' | 'mention' | 'emoji';
  readonly text: string;
  /** The position in the text where the piece begins, in UTF-16 code units. */
  readonly start: number;
  /** The mid of the mentioned person. */
  readonly mid?: string;
  /** The address of a link. */
  readonly href?: string;
  /** The picture of a pack that is shown in place of the text. */
  readonly emoji?: EmojiOfPack;
}

export interface EmojiOfPack {
  readonly productId: string;
  readonly sticonId: string;
}

const LINK = /https?:\/\/[^\s<>"'“”]+/giu;
/** Matches punctuation at the end of an address, which belongs to the sentence around the address. */
const AFTER_LINK = /[.,;:!?、。，！？）)\]}]+$/u;

interface MentionRange {
  readonly start: number;
  readonly end: number;
  readonly mid?: string | undefined;
}

export function piecesOf({ text = '', contentMetadata }: Pick<StoredMessage, 'text' | 'contentMetadata'>): Piece[] {
  const marked: Piece[] = mentionRanges(text, contentMetadata.MENTION).map(({ start, end, mid }) => ({
    kind: 'mention',
    text: text.slice(start, end),
    start,
    ...(mid !== undefined && { mid }),
  }));
  for (const { start, end, ...emoji } of emojiRanges(text, contentMetadata.REPLACE)) {
    marked.push({ kind: 'emoji', text: text.slice(start, end), start, emoji });
  }
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const address = found.replace(AFTER_LINK, '');
    const isTaken = marked.some(
      (piece) => index < piece.start + piece.text.length && piece.start < index + address.length,
    );
    if (!isTaken && URL.canParse(address)) marked.push({ kind: 'link', text: address, start: index, href: address });
  }
  marked.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const piece of marked) {
    if (piece.start < at) continue;
    if (piece.start > at) pieces.push({ kind: 'text', text: text.slice(at, piece.start), start: at });
    pieces.push(piece);
    at = piece.start + piece.text.length;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at), start: at });
  return pieces;
}

/** Returns the positions of the mentions in a text. Leaves out mentions that are malformed or outside of the text. */
function mentionRanges(text: string, metadata: string | undefined): MentionRange[] {
  try {
    const { MENTIONEES = [] } = JSON.parse(metadata ?? '{}') as { MENTIONEES?: { S: string; E: string; M?: string }[] };
    return MENTIONEES.map(({ S, E, M }) => ({ start: Number(S), end: Number(E), mid: M })).filter((range) =>
      isInside(range, text),
    );
  } catch {
    return [];
  }
}

interface Replaced extends EmojiOfPack {
  readonly S: number;
  readonly E: number;
}

/**
 * Returns the emoji of packs in a text and their positions. Leaves out emoji that are malformed or outside of the text.
 */
function emojiRanges(text: string, metadata: string | undefined): (MentionRange & EmojiOfPack)[] {
  try {
    const { sticon }: { sticon?: { resources?: Replaced[] } } = JSON.parse(metadata ?? '{}');
    return (sticon?.resources ?? [])
      .map(({ S, E, productId, sticonId }) => ({ start: S, end: E, productId, sticonId }))
      .filter(
        ({ productId, sticonId, ...range }) =>
          isInside(range, text) && typeof productId === 'string' && typeof sticonId === 'string',
      );
  } catch {
    return [];
  }
}

const isInside = ({ start, end }: MentionRange, { length }: string): boolean =>
  Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= length;
