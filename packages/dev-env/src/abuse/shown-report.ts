// Shows faults and the report of a run as text.
import type { AbuseReport } from './abuse.ts';
import type { Fault } from './attack.ts';
import type { AbusiveRequest } from './requests.ts';

const MIB = 1024 * 1024;
/** So many bytes of a request are shown. A replay makes all of them again. */
const SHOWN_BYTES = 2000;

const textOf = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES));
  return bytes.length > SHOWN_BYTES ? `${text} and ${bytes.length - SHOWN_BYTES} bytes more` : text;
};

export const shownRequest = ({ number, call, mutations, bytes }: AbusiveRequest): string =>
  `request ${number}, ${call} with ${mutations.join(' and ') || 'no mutation'}\n  ${textOf(bytes)}`;

export function shownFault(seed: number, { number, problem, request }: Fault): string {
  if (number === undefined || !request) return `Seed ${seed}: ${problem}`;
  return `Seed ${seed}: ${problem}\n  ${shownRequest(request)}\n  replay: SEED=${seed} npm run abuse -- --only ${number}`;
}

export function shownReport(report: AbuseReport): string {
  const { seconds, statuses, warm, end, serverSeconds, clientSeconds, faults, slowest } = report;
  const counts = [...statuses].sort(([one], [two]) => one.localeCompare(two));
  const mib = (bytes: number | undefined) => (bytes === undefined ? 'unknown' : `${Math.round(bytes / MIB)} MiB`);
  return [
    `${seconds.toFixed(1)} s; seconds of the processor: server ${serverSeconds?.toFixed(1) ?? 'unknown'}, client ${clientSeconds.toFixed(1)}`,
    `memory of the server without garbage: ${mib(warm?.residentBytes)} after the first requests, ${mib(end?.residentBytes)} at the end`,
    `the slowest request: ${slowest.number}, ${Math.round(slowest.ms)} ms`,
    `descriptors: ${warm?.descriptors ?? 'unknown'}, then ${end?.descriptors ?? 'unknown'}`,
    `answers: ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    faults.length === 0 ? 'No fault.' : `${faults.length} faults.`,
  ].join('\n');
}
