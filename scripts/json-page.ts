// Makes the page about what commands print with --json, from the schemas of the command line.
import { typeText } from '@sealpost/reference';
import { jsonOutput } from 'sealpost/src/json-output.ts';

/**
 * Returns the page.
 * @param structs the text of the reference page of structs; the structs on it become links
 */
export function jsonPage(structs: string): string {
  const link = (title: string): string =>
    structs.includes(`\n### ${title}\n`) || structs.includes(`\n## ${title}\n`)
      ? `[${title}](structs.md#${title.toLowerCase()})`
      : title;
  const rows = Object.entries(jsonOutput).map(([path, schema]) => `| \`${path}\` | ${typeText(schema, link)} |`);
  return `# What commands print with --json

Generated from the shapes of the command line. Each command prints one value, on one line; \`listen\` prints one for each
operation, and \`login --qr\` one for each step. A field with \`?\` may be absent. Further fields may be added.

| Command | Prints |
|---|---|
${rows.join('\n')}
`;
}
