// Serves the workbench API, its events and the inspector. Refuses requests whose Host header does not name this
// machine. Otherwise, a website could reach the API by letting its own host name point to this machine.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { workbenchEndpoints, workbenchEventsPath, workbenchRoot } from '@sealpost/contract/workbench';
import { createWebApp, jsonRoutes, Problem, pageHeaders, problemType } from '@sealpost/server/workbench';
import type { News } from '../server/news.ts';
import { type ControlDeps, controlHandlers, problemOf } from './handlers.ts';
import { createInspector, inspectorRoot } from './inspector.ts';

export interface Control {
  /** Serves a request of the workbench and returns true; returns false for any other request. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  close(): Promise<void>;
}

export interface ControlRoutesDeps extends ControlDeps {
  /** Returns the host of the server's address. Besides `localhost`, requests may name it in their Host header. */
  readonly host: () => string;
  readonly onFault: (error: unknown) => void;
}

/** The beginnings of all paths that this module serves. */
const ROOTS = [workbenchRoot, inspectorRoot];
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

export async function createControl(deps: ControlRoutesDeps): Promise<Control> {
  const { bench, host, onFault } = deps;
  const { app, listener } = createWebApp((reply, _path, status, reason) =>
    reply
      .code(status)
      .header('content-type', problemType)
      .send(JSON.stringify(new Problem(status, reason).body)),
  );
  const gate = (request: IncomingMessage): IncomingMessage => {
    const named = hostOf(request);
    if (LOCAL.has(named) || named === host()) return request;
    throw new Problem(
      403,
      `the header Host names ${JSON.stringify(named)}, and the workbench only serves this machine`,
    );
  };
  await app.register(
    jsonRoutes({
      api: 'workbench',
      endpoints: workbenchEndpoints,
      handlers: controlHandlers(deps),
      ...{ gate, problemOf, onFault },
    }),
    { prefix: workbenchRoot },
  );
  app.get(workbenchRoot + workbenchEventsPath, (request, reply) => {
    gate(request.raw);
    reply.hijack();
    tellNews(bench().news, reply.raw);
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) onFault(error);
    const { body } = error instanceof Problem ? error : new Problem(500, 'a fault of the workbench');
    return reply.code(body.status).header('content-type', problemType).send(JSON.stringify(body));
  });
  const inspector = createInspector();
  for (const path of [inspectorRoot, `${inspectorRoot}/*`]) {
    app.get(path, async (request, reply) => {
      gate(request.raw);
      const { status, headers, body } = await inspector(request.raw);
      return reply
        .code(status)
        .headers({ ...pageHeaders(bench().config), ...headers })
        .send(body);
    });
  }
  await app.ready();
  return {
    serve(request, response) {
      const path = request.url?.split('?')[0] ?? '';
      if (!ROOTS.some((root) => path === root || path.startsWith(`${root}/`))) return false;
      listener(request, response);
      return true;
    },
    close: () => app.close(),
  };
}

/** Returns the host in the Host header of a request, in lower case and without the port. */
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();

/** Sends everything that happens from now on as server-sent events. */
function tellNews(news: News, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const stop = news.listen((event) => response.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`));
  response.once('close', stop);
}
