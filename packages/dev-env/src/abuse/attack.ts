// Sends a range of mutated requests over several connections, and collects the faults.
import { openLine } from './exchange.ts';
import { faultOf } from './judge.ts';
import type { AbusiveRequest, Requests } from './requests.ts';

export interface Fault {
  /** The number of the request; undefined for a fault that no single request shows. */
  readonly number?: number;
  readonly problem: string;
  readonly request?: AbusiveRequest;
}

export interface Attack {
  readonly url: string;
  readonly requests: Requests;
  readonly from: number;
  /** The number after the last request. */
  readonly to: number;
  readonly connections: number;
  /** Milliseconds after which a server that neither answers nor closes is silent. */
  readonly silenceMs: number;
  /** Called with each request, the statuses of its answers, and the milliseconds until it ended. */
  readonly onAnswer: (request: AbusiveRequest, statuses: readonly number[], ms: number) => void;
}

/** After so many faults, an attack ends: one fault can have many faces. */
const MOST_FAULTS = 20;

export async function attack({ url, requests, from, to, connections, silenceMs, onAnswer }: Attack): Promise<Fault[]> {
  const faults: Fault[] = [];
  let next = from;
  async function sendUntilDone(): Promise<void> {
    const line = openLine(url, silenceMs);
    while (next < to && faults.length < MOST_FAULTS) {
      const request = requests(next++);
      const begun = performance.now();
      const outcome = await line.send(request);
      const statuses = outcome.answers.map(({ status }) => status);
      onAnswer(request, statuses, performance.now() - begun);
      const problem = faultOf(request, outcome);
      if (problem) faults.push({ number: request.number, problem, request });
    }
    line.close();
  }
  await Promise.all(Array.from({ length: connections }, sendUntilDone));
  return faults;
}
