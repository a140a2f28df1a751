// Keeps the page's state up to date: loads the earlier calls, then follows the events. Changes are shown once per frame
// of the screen.
import {
  type SeenCall,
  type SeenOperation,
  type WorkbenchEvent,
  workbenchEventsPath,
  workbenchRoot,
} from '@sealpost/contract/workbench';
import { newest, withCalls } from './call-rows.ts';
import { dev } from './dev-api.ts';
import { useInspector } from './store.ts';

const { getState, setState } = useInspector;
const waitingCalls = new Map<number, SeenCall>();
let waitingOperations: SeenOperation[] = [];
let scheduled = false;

/** Follows the server for as long as the page is open. */
export function startFeed(): void {
  const events = new EventSource(workbenchRoot + workbenchEventsPath);
  // Loads the calls from before the events began, or from the time when the connection for events was lost.
  events.addEventListener('open', () => void load().then(() => setState({ connection: 'live' }), lose));
  events.addEventListener('error', lose);
  for (const kind of ['call', 'operation', 'faults', 'clock', 'reset'] as const)
    events.addEventListener(kind, ({ data }) => happened(JSON.parse(data)));
}

const lose = (): void => setState({ connection: 'lost' });

async function load(): Promise<void> {
  const [{ clock, accounts, ...facts }, { requests }, { faults }, { universes }] = await Promise.all([
    dev.showWorkbench(),
    dev.listRequests(),
    dev.listFaults(),
    dev.listUniverses(),
  ]);
  // A server that was restarted counts its calls from 1 again.
  const answered = new Map(requests.map(({ id, time }) => [id, time]));
  const hadCalls = getState().calls.length > 0;
  const kept = getState().calls.filter(({ id, time }) => answered.get(id) === time);
  // An event may have brought newer data about a call than this answer, because the answer was requested before.
  const ended = new Set(kept.flatMap(({ id, state }) => (state === 'running' ? [] : [id])));
  const calls = withCalls(
    kept,
    requests.filter(({ id }) => !ended.has(id)),
  );
  setState({ facts, clock, accounts, faults, universes, calls });
  // The server was set to another saved state while the page was not connected. So the shown operations are not in its
  // logs any more.
  if (hadCalls && kept.length === 0) setState({ operations: [] });
}

function happened(event: WorkbenchEvent): void {
  if (event.kind === 'call') waitingCalls.set(event.call.id, event.call);
  else if (event.kind === 'operation') waitingOperations.push(event.operation);
  else if (event.kind === 'faults') setState({ faults: event.faults });
  else if (event.kind === 'clock') setState({ clock: event.clock });
  else {
    forget();
    setState({ operations: [] });
    load().catch(lose);
  }
  if (waitingCalls.size + waitingOperations.length > 0) schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  // A hidden tab gets no frames, and nothing needs to be drawn there.
  requestAnimationFrame(() => {
    scheduled = false;
    show();
  });
}

function show(): void {
  const { paused, calls, operations, accounts } = getState();
  if (paused) return;
  const isNew = waitingOperations.some(({ mid }) => !accounts.some((account) => account.mid === mid));
  if (isNew) void reloadAccounts();
  setState({
    calls: waitingCalls.size > 0 ? withCalls(calls, waitingCalls.values()) : calls,
    operations: waitingOperations.length > 0 ? newest([...operations, ...waitingOperations]) : operations,
  });
  waitingCalls.clear();
  waitingOperations = [];
}

async function reloadAccounts(): Promise<void> {
  const { accounts } = await dev.showWorkbench();
  setState({ accounts });
}

/** Removes all calls from the page, but not from the server. */
function forget(): void {
  waitingCalls.clear();
  waitingOperations = [];
  setState({ calls: [] });
}

export function setPaused(paused: boolean): void {
  setState({ paused });
  if (!paused) show();
}

/** Makes the server delete its record of calls. */
export async function clearCalls(): Promise<void> {
  await dev.clearRequests();
  forget();
}

export async function reloadUniverses(): Promise<void> {
  setState(await dev.listUniverses());
}

export async function reloadClock(): Promise<void> {
  setState({ clock: await dev.showClock() });
}

/** Waits until a call with the given tag appears. Returns its id; undefined if none appears in time. */
export function callWithTag(tag: string, patienceMs: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = getState().calls.find((call) => call.tag === tag);
      if (found) done(found.id);
    };
    const stop = useInspector.subscribe(look);
    const end = setTimeout(() => done(undefined), patienceMs);
    const done = (id: number | undefined): void => {
      stop();
      clearTimeout(end);
      resolve(id);
    };
    look();
  });
}
