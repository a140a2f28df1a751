// Finds out whether this browser can show notifications, and turns them on and off. The server forgets a subscription with
// its session, so the page subscribes again after a new login.
import type { Remote } from './client/remote.ts';

/** `unsupported`: the browser cannot show notifications. `denied`: the person has forbidden this site to show them. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

const QUIET = 'sealpost-quiet-hours';
/** Where the browser stores whose notifications it shows. */
const OWNER = 'sealpost-notifications-of';

/** Returns the quiet hours that were chosen on this device. */
export function chosenQuiet(): QuietHours | undefined {
  const [from = '', to = ''] = localStorage.getItem(QUIET)?.split(' ') ?? [];
  return from === '' || to === '' ? undefined : { from, to };
}

const registration = (): Promise<ServiceWorkerRegistration> => navigator.serviceWorker.ready;

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'denied';
  return (await (await registration()).pushManager.getSubscription()) ? 'on' : 'off';
}

/**
 * Asks the person for permission, then subscribes with the browser and the server. Returns the new state.
 *
 * @param me the mid of the account
 */
export async function turnOn(push: Remote['push'], me: string, quiet: QuietHours | undefined): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { pushManager } = await registration();
  const subscription =
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await push.key() }));
  await subscribe(push, subscription, quiet);
  localStorage.setItem(OWNER, me);
  if (quiet) localStorage.setItem(QUIET, `${quiet.from} ${quiet.to}`);
  else localStorage.removeItem(QUIET);
  return 'on';
}

/**
 * Tells the server again where to send notifications, if this account has turned them on in this browser. If another
 * account has, turns them off, because this account has not asked for them.
 *
 * @param me the mid of the account
 */
export async function keepOn(push: Remote['push'], me: string): Promise<void> {
  if ((await pushState()) !== 'on') return;
  const subscription = await (await registration()).pushManager.getSubscription();
  if (!subscription) return;
  const owner = localStorage.getItem(OWNER) ?? me;
  if (owner !== me) return forgetNotifications();
  await subscribe(push, subscription, chosenQuiet());
  localStorage.setItem(OWNER, me);
}

async function subscribe(
  push: Remote['push'],
  subscription: PushSubscription,
  quiet: QuietHours | undefined,
): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) {
    throw new Error('This browser gave a subscription without its keys.');
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await push.subscribe({ endpoint, p256dh, auth, ...(quiet && { quietHours: { ...quiet, timeZone } }) });
}

export async function turnOff(push: Remote['push']): Promise<PushState> {
  await push.unsubscribe();
  await turnOffHere();
  return 'off';
}

async function turnOffHere(): Promise<void> {
  localStorage.removeItem(OWNER);
  await (await (await registration()).pushManager.getSubscription())?.unsubscribe();
}

/** Turns notifications off in this browser and forgets the choices about them, because the account leaves it. */
export function forgetNotifications(): void {
  localStorage.removeItem(QUIET);
  localStorage.removeItem(OWNER);
  // Without a service worker there is nothing to turn off, and no answer. So nobody waits for one.
  if ('serviceWorker' in navigator) turnOffHere().catch(() => undefined);
}
