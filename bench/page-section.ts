// Reads and replaces sections of a Markdown page, so that several commands can write parts of one page.

/** The title of the section of docs/performance.md about the cost of sends for the database. */
export const DATABASE_SECTION = 'What a send costs the database';

/** The title of the section of docs/performance.md about metrics and traces. */
export const OBSERVABILITY_SECTION = 'What metrics and traces cost';

/** The title of the section of docs/performance.md about servers of other projects. */
export const PEERS_SECTION = 'Peers';

/** The title of the section of docs/performance.md about sends by their number in flight. */
export const CURVES_SECTION = 'More and more in flight';

/** The titles of the sections of docs/performance.md about a server under load for an hour, by database. */
export const SOAK_SECTIONS = {
  sqlite: 'An hour under load',
  postgres: 'An hour under load on PostgreSQL',
} as const;

/** Returns the position of a section: from its heading to the next heading of the same level. */
function placeOf(page: string, title: string): { from: number; to: number } | undefined {
  const from = page.indexOf(`\n## ${title}\n`) + 1;
  if (from === 0) return undefined;
  const next = page.indexOf('\n## ', from);
  return { from, to: next < 0 ? page.length : next + 1 };
}

/** Returns a section with its heading; undefined if the page has no section with this title. */
export function sectionOf(page: string, title: string): string | undefined {
  const place = placeOf(page, title);
  return place && page.slice(place.from, place.to);
}

/**
 * Returns the page with a section replaced. If the page has no section with this title, the section is put before the
 * last one.
 */
export function withSection(page: string, title: string, section: string): string {
  const { from, to } = placeOf(page, title) ?? {
    from: page.lastIndexOf('\n## ') + 1,
    to: page.lastIndexOf('\n## ') + 1,
  };
  return `${page.slice(0, from)}${section.trimEnd()}\n\n${page.slice(to)}`.trimEnd().concat('\n');
}
