// The operator's API. Register it under the prefix /api/admin/v1.
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { requireUncompressed } from '../../platform/http/body.ts';
import { isStorable, unstorable } from '../../platform/kernel/storable-text.ts';
import { parseJson } from '../../platform/rpc/json.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Account, Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { accountJson, auditJson, sessionJson } from './answers.ts';
import type { Audit } from './audit.ts';
import { type AdminGateDeps, createAdminGate } from './gate.ts';
import { Problem, problemOf, problemType } from './problem.ts';
import { bodyReader, CreateAccountBody, pageOf, ResetPasswordBody } from './requests.ts';

export interface AdminDeps extends AdminGateDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly audit: Audit;
  /** What other slices add to the API. */
  readonly more?: readonly AdminRoutes[];
  /** Told of faults, which the caller sees only as 500. */
  readonly onFault: (error: unknown) => void;
}

/** Who acts, in the audit log. */
export const operator = 'admin';
/** Packs of pictures are the only large thing that an operator sends. */
const ZIP_BYTES = 32 * 1024 * 1024;
const readCreate = bodyReader(CreateAccountBody);
const readReset = bodyReader(ResetPasswordBody);

type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type Verbs = Partial<Record<'GET' | 'POST' | 'DELETE', Serve>>;
/** Path -> verb -> what serves it. */
export type AdminRoutes = Readonly<Record<string, Verbs>>;

export function adminRoutes(deps: AdminDeps): FastifyPluginAsync {
  const gate = createAdminGate(deps);
  return async (app) => {
    app.setErrorHandler((error, _request, reply) => {
      const problem = problemOf(error);
      if (!problem) deps.onFault(error);
      return send(reply, problem ?? new Problem(500, 'a fault of the server; its log has the cause'));
    });
    app.setNotFoundHandler((request, reply) => {
      gate(request.raw);
      return send(reply, new Problem(404, `no such path: ${request.url}`));
    });
    app.addHook('onRequest', async (request) => {
      gate(request.raw);
      requireStorableNames(request);
      requireUncompressed(request.headers['content-encoding']);
    });
    parseBodies(app);
    for (const table of [routes(deps), ...(deps.more ?? [])]) {
      for (const [path, verbs] of Object.entries(table)) serve(app, path, verbs);
    }
  };
}

/** Bodies as the protocol reads them. One that is empty is none, whatever type it announces: few changes need any. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  app.addContentTypeParser(
    'application/zip',
    { parseAs: 'buffer', bodyLimit: ZIP_BYTES },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    const type = headers['content-type'];
    const seen = type === undefined ? 'it names no type' : `not ${type.slice(0, 100)}`;
    throw new Problem(415, `the body must be JSON, of type application/json; ${seen}`);
  });
}

function routes({ store, accounts, sessions, audit }: AdminDeps): AdminRoutes {
  const note = (tx: Tx, action: string, subject: string, detail: object = {}): Promise<void> =>
    audit.record(tx, { actor: operator, action, subject, detail: JSON.stringify(detail) });

  async function accountOf(request: FastifyRequest): Promise<Account> {
    const { account } = request.params as { account: string };
    const found = await accounts.show(account);
    if (!found) throw new Problem(404, `no account has the mid or userid ${JSON.stringify(account)}`);
    return found;
  }

  /** A change of one account that answers its new state. */
  const change =
    (work: (account: Account, request: FastifyRequest) => Promise<boolean>): Serve =>
    async (request) => {
      const account = await accountOf(request);
      if (!(await work(account, request))) throw new Problem(404, 'the account was deleted at the same moment');
      return accountJson(await accountOf(request));
    };

  return {
    '/accounts': {
      GET: async (request) => {
        const { limit, cursor } = pageOf(request.query, 0);
        const page = await accounts.list(cursor, limit);
        return { accounts: page.map(accountJson), ...nextOf(page, limit) };
      },
      POST: async (request, reply) => {
        const created = await accounts.create(readCreate(request.body), (tx, { mid }) =>
          note(tx, 'account.create', mid),
        );
        reply.code(201).header('location', `${request.url.split('?')[0]}/${created.mid}`);
        return accountJson(created);
      },
    },
    '/accounts/:account': {
      GET: async (request) => accountJson(await accountOf(request)),
      DELETE: async (request, reply) => {
        const { id } = await accountOf(request);
        await accounts.remove(id, (tx, { mid }) => note(tx, 'account.delete', mid));
        reply.code(204);
      },
    },
    '/accounts/:account/disable': {
      POST: change(({ id }) => accounts.disable(id, (tx, { mid }) => note(tx, 'account.disable', mid))),
    },
    '/accounts/:account/enable': {
      POST: change(({ id }) => accounts.enable(id, (tx, { mid }) => note(tx, 'account.enable', mid))),
    },
    '/accounts/:account/reset-password': {
      POST: change(({ id }, request) => {
        const { password } = readReset(request.body);
        return accounts.resetPassword(id, password, (tx, { mid }) => note(tx, 'account.reset-password', mid));
      }),
    },
    '/accounts/:account/sessions': {
      GET: async (request) => {
        const { id } = await accountOf(request);
        return { sessions: (await store.read((reader) => sessions.list(reader, id))).map(sessionJson) };
      },
      DELETE: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        await store.transact(async (tx) => {
          await sessions.endAll(tx, id, 'revoked by the operator');
          await note(tx, 'session.revoke-all', mid);
        });
        reply.code(204);
      },
    },
    '/accounts/:account/sessions/:session': {
      DELETE: async (request, reply) => {
        const { id, mid } = await accountOf(request);
        const { session } = request.params as { session: string };
        await store.transact(async (tx) => {
          const live = (await sessions.list(tx, id)).find((row) => String(row.id) === session);
          if (!live) throw new Problem(404, `the account has no live session ${JSON.stringify(session)}`);
          await sessions.revokeIn(tx, [live.id], 'revoked by the operator');
          await note(tx, 'session.revoke', mid, { session });
        });
        reply.code(204);
      },
    },
    '/audit': {
      GET: async (request) => {
        const { limit, cursor } = pageOf(request.query, Number.MAX_SAFE_INTEGER);
        const page = await audit.list(cursor, limit);
        return { entries: page.map(auditJson), ...nextOf(page, limit) };
      },
    },
  };
}

function serve(app: FastifyInstance, url: string, verbs: Verbs): void {
  for (const [method, handler] of Object.entries(verbs)) app.route({ method: method as HTTPMethods, url, handler });
  // Where there is GET, Fastify adds HEAD.
  const allowed = Object.keys(verbs).flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
  const refuse: Serve = async (request, reply) => {
    reply.header('allow', allowed.join(', '));
    const possible = `${allowed.join(' and ')} ${allowed.length > 1 ? 'are' : 'is'}`;
    throw new Problem(405, `${request.method} is not possible here; ${possible}`);
  };
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url,
    // Already here, before a body of whatever kind is judged.
    onRequest: refuse,
    handler: refuse,
  });
}

/** The cursor of the page after this one, if there may be one. */
export const nextOf = (page: readonly { readonly id: number }[], limit: number): { cursor?: string } => {
  const last = page.at(-1);
  return last && page.length === limit ? { cursor: String(last.id) } : {};
};

/** Nothing has such a name, and not every database lets itself be asked for one. */
function requireStorableNames(request: FastifyRequest): void {
  for (const name of Object.values(request.params as Record<string, string>)) {
    if (!isStorable(name)) throw new Problem(404, unstorable(`the name ${JSON.stringify(name)}`));
  }
}

function send(reply: FastifyReply, { body, retryAfter }: Problem): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (body.status === 401) reply.header('www-authenticate', 'Bearer realm="admin"');
  return reply.code(body.status).header('content-type', problemType).send(JSON.stringify(body));
}
