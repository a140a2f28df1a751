// Sets up Fastify, which serves the requests outside the protocol. It never listens itself.
import type { RequestListener } from 'node:http';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { createServer } from './node-http.ts';

/** Maximum number of characters of a name in a path. Names that the server creates are shorter. */
const NAME_CHARS = 100;

/**
 * Replaces Fastify's schema compilers, so that they are not loaded. Routes have no Fastify schemas, because bodies are
 * checked like those of the protocol.
 */
const noCompiler = () => {
  throw new Error('a route has a schema, and nothing that compiles schemas is loaded');
};

/** Answers a request whose path is malformed, so that no route can serve it. */
export type RefusePath = (reply: FastifyReply, path: string, status: number, reason: string) => void;

/**
 * Returns Fastify and its request listener. Fastify gets a server that never listens; the real server passes requests
 * on to the listener.
 */
export function createWebApp(refuse: RefusePath): { app: FastifyInstance; listener: RequestListener } {
  let listener: RequestListener | undefined;
  const app = fastify({
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: NAME_CHARS },
    frameworkErrors: ({ code }, { url }, reply) => {
      const shown = url.slice(0, 200);
      if (code === 'FST_ERR_MAX_PARAM_LENGTH')
        refuse(reply, url, 414, `a name in the path is longer than ${NAME_CHARS} characters: ${shown}`);
      else refuse(reply, url, 400, `a % in the path is not part of UTF-8 in hex digits (% itself is %25): ${shown}`);
    },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: (handler) => {
      listener = handler;
      // Fastify needs its own server object, which never listens.
      return createServer();
    },
  });
  return { app, listener: listener as RequestListener };
}
