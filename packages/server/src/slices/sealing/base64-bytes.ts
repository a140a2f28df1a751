/** Whether a text is the one base64 form of this many bytes: others would be other texts of the same key. */
export function isBase64Of(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}
