/**
 * Returns whether a text is the canonical base64 form of the given number of bytes. Other forms are refused, so that
 * each key has only one text form.
 */
export function isBase64Of(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}
