// Finds the address of the server of a data folder. Makes the program at that address prove that it is this server.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { adminProofPath, adminRoot } from '@sealpost/contract';
import { NetworkError, systemPorts } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';

/** The content of `server.json`, which a running server writes into its data folder. */
export interface LocalServer {
  readonly url: string;
  readonly publicUrl?: string;
  readonly pid: number;
  readonly secret: string;
}

export interface LocalRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** True if a successful answer consists of bytes, which the caller reads as they arrive. */
  readonly bytes?: true;
}

export interface LocalAnswer {
  readonly status: number;
  readonly text: string;
  readonly content?: AsyncIterable<Uint8Array>;
}

const FILE = 'server.json';
const CHALLENGE_BYTES = 32;
/** How long a program may take to prove that it is the server. */
const PROOF_MS = 60_000;
/** How long the proven server may take to answer. Counting old messages in a large database takes minutes. */
const ANSWER_MS = 30 * 60_000;

/**
 * Returns the server that `server.json` in the data folder names. Returns undefined if the file is missing, because no
 * server has run there or the last one ended regularly.
 */
export function serverOf(dataDir: string): LocalServer | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as LocalServer;
  } catch {
    return undefined;
  }
}

/**
 * Sends a request to the server of a data folder. The server must first prove, on the same connection, that it wrote
 * `server.json`, because another program may use the server's port now.
 */
export async function requestProven(server: LocalServer, request: LocalRequest): Promise<LocalAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failed = (cause: unknown): never => {
    throw cause instanceof CliError ? cause : new NetworkError(`${request.method} ${request.path}`, server.url, cause);
  };
  let open = false;
  try {
    await requireProof(server, agent);
    const options = { agent, method: request.method, headers: request.headers };
    const sent = httpRequest(server.url + request.path, options);
    if (!sent.reusedSocket) {
      // The request did not reuse the checked connection, so it opens a new one. Destroying the request would not stop
      // that, so its socket is destroyed instead.
      sent.on('error', () => {}).once('socket', (socket) => socket.destroy());
      throw new CliError(`${server.url} closed the connection after it was checked. Repeat the command.`);
    }
    const response = await responseOf(sent, ANSWER_MS, request.body);
    const status = response.statusCode ?? 0;
    if (!request.bytes || status >= 300) return { status, text: await textOf(response) };
    open = true;
    return { status, text: '', content: contentOf(response, agent, failed) };
  } catch (cause) {
    return failed(cause);
  } finally {
    if (!open) agent.destroy();
  }
}

/** Yields the body of an answer as it arrives, and closes the connection at the end. */
async function* contentOf(
  response: IncomingMessage,
  agent: Agent,
  failed: (cause: unknown) => never,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* response;
  } catch (cause) {
    failed(cause);
  } finally {
    agent.destroy();
  }
}

async function requireProof(server: LocalServer, agent: Agent): Promise<void> {
  const challenge = Buffer.from(systemPorts.random.bytes(CHALLENGE_BYTES)).toString('base64url');
  const options: RequestOptions = { agent, method: 'GET' };
  const path = `${adminRoot}${adminProofPath}?challenge=${challenge}`;
  const { status, text } = await answerOf(httpRequest(server.url + path, options));
  const expected = createHmac('sha256', server.secret).update(`sealpost server\n${server.url}\n${challenge}`).digest();
  const given = Buffer.from(status === 200 ? proofIn(text) : '', 'base64url');
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new CliError(
    `The program at ${server.url} is not the server that wrote the data folder (process ${server.pid}), so the admin token was not sent. Start the server of that folder again, or name another folder with --data-dir.`,
    exitCodes.unreachable,
  );
}

function proofIn(text: string): string {
  try {
    const { proof } = JSON.parse(text) as { proof?: unknown };
    return typeof proof === 'string' ? proof : '';
  } catch {
    return '';
  }
}

async function answerOf(sent: ReturnType<typeof httpRequest>): Promise<LocalAnswer> {
  const response = await responseOf(sent, PROOF_MS);
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

const responseOf = (
  sent: ReturnType<typeof httpRequest>,
  patienceMs: number,
  body?: string | Uint8Array,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.setTimeout(patienceMs, () => sent.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
    sent.once('response', resolve).once('error', reject);
    sent.end(body);
  });
