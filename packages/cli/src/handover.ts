// Asks the user before keys of the account leave this device.
import type { KeyOffer } from '@sealpost/sdk';
import { confirmed } from './confirm.ts';
import type { Output } from './output.ts';

export interface WordsOptions {
  readonly words?: string;
  readonly withoutWords?: boolean;
}

/**
 * Returns the words that confirm the handover of keys: the words that the user gave as an option, otherwise the words
 * on this screen. Returns undefined if the user answers that the new device shows different words.
 */
export async function comparedWords(
  output: Output,
  offer: KeyOffer,
  { words, withoutWords }: WordsOptions,
): Promise<string | undefined> {
  output.note(offerText(offer));
  if (words !== undefined) return words;
  if (withoutWords) return offer.words;
  const same = await confirmed(
    'Does the new device show exactly these words?',
    'give the words that the new device shows with --words',
  );
  return same ? offer.words : undefined;
}

const offerText = ({ keyIds, words }: KeyOffer): string =>
  `This hands over ${keyIds.length === 1 ? 'the key' : `all ${keyIds.length} keys`} of the account: ${keyIds.join(', ')}.
Anybody who has them can read every sealed message of the account, old ones included.
The new device must show these words:
    ${words}
If it shows different words, or none, somebody else would get the keys.`;
