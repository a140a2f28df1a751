/** The folder of the built administration pages, which a server serves at `/admin`. */
export const adminPagesFolder = new URL('../dist-admin/', import.meta.url);
