// Sends the messages of one person to another over one connection. A message that becomes due meanwhile waits, and its
// latency begins when it was due. So a slow server cannot hide behind a load that waits for it.
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from '../connection.ts';
import { keyOf, sendRequest, type User } from '../request.ts';

const RETRY_MS = 100;

export interface SenderOptions {
  readonly port: number;
  readonly user: User;
  /** The person who gets the messages. */
  readonly to: string;
  /** The beginning of all marks of this sender, without dots. */
  readonly name: string;
  /** Called when a send was acknowledged. */
  readonly acknowledged: (sender: Sender, latencyMs: number) => void;
  readonly failed: (what: string) => void;
}

export class Sender {
  acknowledged = 0;
  readonly #options: SenderOptions;
  readonly #key: ReturnType<typeof keyOf>;
  readonly #waiting: number[] = [];
  #connection: Connection | undefined;
  #dueAt: number | undefined;
  #closed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#key = keyOf(options.user);
  }

  /** The messages that are due and not acknowledged. */
  get unfinished(): number {
    return this.#waiting.length + (this.#dueAt === undefined ? 0 : 1);
  }

  /** Opens the connection, and sends again what was under way. */
  async open(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#connection = await openConnection(this.#options.port, (error) => this.#lost(error));
        break;
      } catch (error) {
        this.#options.failed(String(error));
        await pause(RETRY_MS);
      }
    }
    if (this.#dueAt === undefined) this.#next();
    else this.#send(this.#dueAt);
  }

  /** @param at the time from which the latency counts */
  due(at: number): void {
    this.#waiting.push(at);
    this.#next();
  }

  /** Forgets messages that wait and were never sent. */
  drop(): void {
    this.#waiting.length = 0;
  }

  close(): void {
    this.#closed = true;
    this.#connection?.close();
  }

  #lost(error: Error): void {
    this.#connection = undefined;
    this.#options.failed(error.message);
    void this.open();
  }

  #next(): void {
    if (this.#dueAt !== undefined || !this.#connection) return;
    this.#dueAt = this.#waiting.shift();
    if (this.#dueAt !== undefined) this.#send(this.#dueAt);
  }

  /** Sends the next message. A repetition has the same reqSeq, so the server must not store it twice. */
  #send(dueAt: number): void {
    const { user, to, name, acknowledged, failed } = this.#options;
    const count = this.acknowledged + 1;
    const request = sendRequest(user, this.#key, count, to, `${name}.${count.toString(36)}`);
    const connection = this.#connection;
    connection?.send(request, (status, body) => {
      if (status !== 200) {
        failed(`a send was answered ${status}: ${body.slice(0, 200)}`);
        setTimeout(() => {
          // A new connection has sent the message again by itself.
          if (this.#connection === connection) this.#send(dueAt);
        }, RETRY_MS);
        return;
      }
      this.acknowledged = count;
      this.#dueAt = undefined;
      acknowledged(this, performance.now() - dueAt);
      this.#next();
    });
  }
}
