// A minimal XMPP client that needs little processor time: TCP without TLS, SASL PLAIN, one resource, messages. For
// servers on this machine.
import net from 'node:net';
import { stanzaScanner } from './stanzas.ts';

const READ_BYTES = 64 * 1024;
const ANSWER_MS = 30_000;
export const DOMAIN = 'localhost';
const HEADER = `<?xml version='1.0'?><stream:stream to='${DOMAIN}' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`;
/** The mark in the text of a message. It needs no escape in XML. */
const MARK = /<body>\(([0-9a-z.]+)\)/;

export interface XmppUser {
  readonly name: string;
  readonly password: string;
}

export interface XmppConnection {
  /** Sends a message. Its text has this length, and contains the mark. */
  send(to: string, mark: string, textBytes: number): void;
  close(): void;
}

export interface XmppEvents {
  /** Called with the mark of each message that arrives. */
  delivered(mark: string): void;
  failed(error: Error): void;
}

/** Sends and waits for what the server says. Only for the steps before the first message. */
interface Dialogue {
  ask(request: string, answer: RegExp): Promise<string>;
}

/** Creates an account, as far as the server lets everybody do this (XEP-0077). */
export async function register(port: number, { name, password }: XmppUser): Promise<void> {
  const { dialogue, socket } = await connect(port, { delivered() {}, failed() {} });
  await dialogue.ask(HEADER, /<\/stream:features>/);
  const query = `<query xmlns='jabber:iq:register'><username>${name}</username><password>${password}</password></query>`;
  const answer = await dialogue.ask(`<iq type='set' id='register'>${query}</iq>`, /<iq [^>]*>/);
  socket.destroy();
  if (!/type=['"]result['"]/.test(answer)) throw new Error(`the server did not register ${name}: ${answer}`);
}

/** Logs in, and resolves when the server regards the user as available. */
export async function openXmpp(
  port: number,
  { name, password }: XmppUser,
  events: XmppEvents,
): Promise<XmppConnection> {
  const { dialogue, socket, begin, end } = await connect(port, events);
  await dialogue.ask(HEADER, /<\/stream:features>/);
  const plain = Buffer.from(`\0${name}\0${password}`).toString('base64');
  const auth = `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${plain}</auth>`;
  const answer = await dialogue.ask(auth, /<(?:success|failure)\b/);
  if (!answer.includes('<success')) throw new Error(`the server refused ${name}: ${answer}`);
  await dialogue.ask(HEADER, /<\/stream:features>/);
  const bind = `<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind>`;
  await dialogue.ask(`<iq type='set' id='bind'>${bind}</iq>`, /<jid>/);
  await dialogue.ask('<presence/>', /<presence/);
  begin();
  return {
    send(to, mark, textBytes) {
      const text = `(${mark})`.padEnd(textBytes, 'x');
      socket.write(`<message to='${to}@${DOMAIN}' type='chat' id='${mark}'><body>${text}</body></message>`, 'latin1');
    },
    close: end,
  };
}

async function connect(port: number, events: XmppEvents) {
  let text = '';
  let waiting: ((piece: string) => void) | undefined;
  let closing = false;
  let scan: ((piece: string) => void) | undefined;

  function take(count: number, buffer: Uint8Array): boolean {
    const piece = (buffer as Buffer).toString('latin1', 0, count);
    if (scan) scan(piece);
    else waiting?.(piece);
    return true;
  }

  function message(stanza: string): void {
    const mark = MARK.exec(stanza)?.[1];
    if (mark === undefined || /^[^>]*type=['"]error/.test(stanza)) events.failed(new Error(`not delivered: ${stanza}`));
    else events.delivered(mark);
  }

  const socket = await new Promise<net.Socket>((resolve, reject) => {
    const opened = net.connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
    });
    opened.once('connect', () => resolve(opened));
    opened.once('error', reject);
  });
  socket.once('close', () => {
    if (!closing) events.failed(new Error('the server closed a connection'));
  });
  const dialogue: Dialogue = {
    ask: (request, answer) =>
      new Promise((resolve, reject) => {
        text = '';
        const timer = setTimeout(() => reject(new Error(`no ${answer} within ${ANSWER_MS} ms: ${text}`)), ANSWER_MS);
        waiting = (piece) => {
          text += piece;
          if (!answer.test(text)) return;
          clearTimeout(timer);
          resolve(text);
        };
        socket.write(request, 'latin1');
      }),
  };
  return {
    dialogue,
    socket,
    begin: () => {
      scan = stanzaScanner(message);
    },
    end: () => {
      closing = true;
      socket.destroy();
    },
  };
}
