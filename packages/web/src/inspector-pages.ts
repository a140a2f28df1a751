/** The folder of the built inspector, which only servers of development and tests show. */
export const inspectorFolder = new URL('../dist-inspect/', import.meta.url);
