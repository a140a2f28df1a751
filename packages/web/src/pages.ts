/** The folder of the built pages, which a server serves. It does not exist before the first build. */
export const pagesFolder = new URL('../dist/', import.meta.url);
