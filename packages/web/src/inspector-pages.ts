/** The folder of the built inspector, which only servers for development and tests serve. */
export const inspectorFolder = new URL('../dist-inspect/', import.meta.url);
