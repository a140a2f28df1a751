// Serves the page of a test in a browser, and hears what the page tells.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';

export interface PagesOptions {
  /** The program of the page. */
  readonly program: URL;
  /** What the page finds in the element `given`. */
  readonly given?: unknown;
  /** Answers `/plan`. */
  readonly plan?: () => unknown;
  heard(what: Readonly<Record<string, unknown>>): void;
}

export interface Pages {
  readonly url: string;
  close(): void;
}

export async function servePages({ program, given, plan, heard }: PagesOptions): Promise<Pages> {
  const bundle = await rolldown({ input: program.pathname, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  const html = `<!doctype html><script type="application/json" id="given">${JSON.stringify(given ?? {})}</script><script type="module" src="/page.js"></script>`;
  const server = createServer(async (request, response) => {
    if (request.url === '/told') {
      const body = await request.toArray().catch(() => undefined);
      if (!body) return;
      response.writeHead(204).end();
      heard(JSON.parse(Buffer.concat(body).toString()));
    } else if (request.url === '/plan') response.end(JSON.stringify(plan?.()));
    else if (request.url === '/page.js')
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(output[0].code);
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
