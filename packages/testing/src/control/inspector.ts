// Serves the inspector: the page at /inspect that shows what happens on this server. It has the same strict headers as
// the messenger's pages.
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerWith, openPageFolder, Problem } from '@sealpost/server/workbench';
import { inspectorFolder } from '@sealpost/web/inspector';

/** The path of the page. Its files are below it. */
export const inspectorRoot = '/inspect';
const INDEX = '/index.html';

interface InspectorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/**
 * Returns the function that answers requests below `inspectorRoot`. This function throws a problem if there is no such
 * file.
 */
export function createInspector(
  folder: string = fileURLToPath(inspectorFolder),
): (request: IncomingMessage) => Promise<InspectorAnswer> {
  const pages = openPageFolder(folder);
  return async ({ url = '', headers }) => {
    if (!existsSync(join(folder, INDEX)))
      throw new Problem(404, 'the inspector is not built: run `npm run build -w packages/web`');
    const path = (url.split('?')[0] ?? '').slice(inspectorRoot.length);
    const page = await pages.at(path === '' ? '/' : path);
    if (!page) throw new Problem(404, `the inspector has no file ${path}`);
    const acceptEncoding = headers['accept-encoding']?.toString();
    return answerWith(page, { acceptEncoding, ifNoneMatch: headers['if-none-match'] });
  };
}
