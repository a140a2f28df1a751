// Remembers on this device which announcement of the operator a person saw last. A logout forgets it.
const KEY = 'sealpost-seen-news';

/** Returns the id of the announcement that was seen last; undefined if none was. */
export const seenNews = (): string | undefined => localStorage.getItem(KEY) ?? undefined;
export const setSeenNews = (id: string): void => localStorage.setItem(KEY, id);
export const forgetSeenNews = (): void => localStorage.removeItem(KEY);
