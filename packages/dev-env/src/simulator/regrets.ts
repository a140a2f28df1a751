// Texts that users take back while they wait in an outbox. A client does not send them again to learn their ids, and
// unsends those that had arrived.
import { errors } from '@sealpost/contract';
import { type Device, DeviceCrashed } from './device.ts';
import type { Faults } from './faults.ts';
import { type Given, isSend, type Judge, shown } from './judge.ts';
import type { Answer, Call } from './link.ts';

interface Regret {
  /** The call by which the client unsends the text, as a command of its user. */
  unsend?: Given;
  /** True once the outbox has noted that the text was taken back. */
  noted: boolean;
  /**
   * The number of send calls that began after that. One may have been under way inside the client. Calls that were
   * refused for their token are not counted, because the client repeats them with a new one.
   */
  late: number;
  /** True once the server refused to unsend the text, because its user had left the chat. A client tries it once. */
  refused: boolean;
}

export class Regrets {
  readonly #judge: Judge;
  readonly #faults: Faults;
  readonly #bySend = new Map<Given, Regret>();
  /** The calls by which clients unsend texts, by the id of the call. */
  readonly #calls = new Map<number, Given>();

  constructor(judge: Judge, faults: Faults) {
    this.#judge = judge;
    this.#faults = faults;
  }

  /** Takes a queued text back, as its user. */
  async takeBack(send: Given, device: Device, localId: string): Promise<void> {
    const regret: Regret = { noted: false, late: 0, refused: false };
    this.#bySend.set(send, regret);
    await device.orCrash(device.client.outbox.cancel(localId)).then(
      (noted) => {
        regret.noted = noted;
        if (!noted) this.#bySend.delete(send);
      },
      (error: unknown) => {
        if (!(error instanceof DeviceCrashed))
          this.#judge.violated('no-fault', `${shown(send)} was not taken back: ${error}`);
      },
    );
  }

  /** Returns whether a text may leave its outbox without having been stored. */
  has(send: Given): boolean {
    return this.#bySend.has(send);
  }

  /**
   * Called for each call of a client.
   * @param number the number of the command for which the call seems to be made
   * @returns the number of the command for which it is made
   */
  called(call: Call, number: number | undefined): number | undefined {
    if (isSend(call)) this.#sends(call);
    if (!call.path.endsWith('/unsendMessage')) return number;
    const [reqSeq, messageId]: [number, string] = JSON.parse(call.body);
    if (reqSeq === number) return number;
    const unsend = this.#unsendOf(messageId, call);
    if (unsend) this.#calls.set(call.id, unsend);
    return unsend?.number;
  }

  #sends(call: Call): void {
    const send = this.#judge.sendIn(call);
    const regret = send && this.#bySend.get(send);
    if (send && regret?.noted && ++regret.late > 1) this.#judge.violated('taken-back', `${shown(send)} was sent again`);
  }

  #takesLateBack(call: Call): void {
    const send = this.#judge.sendIn(call);
    const regret = send && this.#bySend.get(send);
    if (regret && regret.late > 0) regret.late -= 1;
  }

  #unsendOf(messageId: string, { account, client }: Call): Given | undefined {
    const index = [...this.#judge.messageIds].find(([, id]) => id === messageId)?.[0];
    const [send, regret] = [...this.#bySend].find(([{ index: found }]) => found === index) ?? [];
    if (!send || !regret || index === undefined) {
      this.#judge.violated('taken-back', `a client unsent message ${messageId}, which nobody took back`);
      return undefined;
    }
    if (!regret.unsend) {
      const command = { by: account, wait: 0, do: 'unsend', message: index } as const;
      regret.unsend = this.#judge.give(-send.number, command, client.name);
      this.#faults.saw('text taken back after its arrival');
    }
    return regret.unsend;
  }

  /** Called for each answer. Notes if a client could not unsend a message, because it was gone or its user was. */
  answered({ call, status, body }: Answer): void {
    if (status !== 400) return;
    const { data }: { data?: { code?: number } } = JSON.parse(body);
    if (isSend(call) && data?.code === errors.MUST_REFRESH_V3_TOKEN.code) this.#takesLateBack(call);
    const unsend = this.#calls.get(call.id);
    if (!unsend) return;
    for (const [send, regret] of this.#bySend) if (regret.unsend === unsend) regret.refused = !this.#canUnsend(send);
    if (data?.code === errors.MESSAGE_NOT_FOUND.code) this.#judge.refused(unsend, 'MESSAGE_NOT_FOUND');
  }

  /** True if a text that was taken back is there, and its client can still unsend it. */
  get areOpen(): boolean {
    return [...this.#bySend].some(([send, { noted, refused }]) => noted && !refused && this.#canUnsend(send));
  }

  #canUnsend({ command, index }: Given): boolean {
    return index !== undefined && this.#judge.model.canChange(command.by, index);
  }
}
