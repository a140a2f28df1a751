// The frame of the pages that the server shows to a browser.

/**
 * The content security policy of the pages. Scripts, styles and images must be files of this server; inline code is
 * forbidden.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The headers of every page and of the pages' scripts and styles. */
export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

export interface PageParts {
  readonly title: string;
  readonly body: string;
  /** The `data-…` attributes of the element `body`, which the page's script reads. */
  readonly data?: Readonly<Record<string, string>>;
  readonly script?: string;
}

export function htmlPage({ title, body, data = {}, script }: PageParts): string {
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
${script ? `<script type="module" src="${script}"></script>` : ''}
</head>
<body${attributes}>
${body}
</body>
</html>
`;
}
