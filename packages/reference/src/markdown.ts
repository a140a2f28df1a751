// Functions for the Markdown of the reference pages.

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** Returns the anchor of a heading: lower case, without punctuation, with hyphens for spaces. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Joins the blocks of a page, with a blank line between them. */
export const page = (...blocks: readonly (string | undefined)[]): string =>
  `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`;
