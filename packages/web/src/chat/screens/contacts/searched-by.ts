// Decides whether the text of a search for a person is a phone number or a user id.

export interface Searched {
  readonly by: 'userid' | 'phone';
  readonly text: string;
}

/**
 * Returns how to search for a text; undefined if it is empty. A number with a plus sign is a phone number; any other
 * text is a user id.
 */
export function searchedBy(text: string): Searched | undefined {
  const wanted = text.trim().replace(/^@/, '');
  if (wanted === '') return undefined;
  const digits = wanted.replace(/[\s().-]/g, '');
  return /^\+\d{5,15}$/.test(digits) ? { by: 'phone', text: digits } : { by: 'userid', text: wanted };
}
