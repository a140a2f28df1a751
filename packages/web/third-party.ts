// Lists the libraries that the build puts into the pages, with the texts of their licences.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { librariesOf, noticesText } from '../../scripts/packaging/notices.ts';
import { LIBRARIES, NOTICES } from '../../scripts/packaging/page-libraries.ts';

/** Matches a module that a build tool itself adds to the pages, such as the code that loads parts of the page later. */
const OF_TOOL = /^\0(rolldown|vite)\//;

const moduleOf = (id: string): string => {
  const [, tool] = OF_TOOL.exec(id) ?? [];
  return tool === undefined ? id : fileURLToPath(import.meta.resolve(`${tool}/package.json`));
};

/**
 * Returns two plugins. `pages` writes the notices of all libraries of the pages beside them, and a list for programs.
 * Web workers are built separately, with the plugin `worker`, which collects their libraries. The build fails if a
 * licence is not allowed, or its text is missing.
 */
export function thirdPartyNotices(): { readonly pages: Plugin; readonly worker: Plugin } {
  const modules = new Set<string>();
  const renderChunk: Plugin['renderChunk'] = (_code, { moduleIds }) => {
    for (const id of moduleIds) modules.add(moduleOf(id));
    return null;
  };
  const pages: Plugin = {
    name: 'third-party-notices',
    apply: 'build',
    renderChunk,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset') for (const name of file.originalFileNames) modules.add(resolve(name));
      }
      const libraries = librariesOf(modules);
      const list = libraries.map(({ name, version, licence }) => ({ name, version, licence }));
      this.emitFile({ type: 'asset', fileName: NOTICES, source: noticesText(libraries) });
      this.emitFile({ type: 'asset', fileName: LIBRARIES, source: JSON.stringify(list, undefined, 2) });
    },
  };
  return { pages, worker: { name: 'third-party-modules', apply: 'build', renderChunk } };
}
