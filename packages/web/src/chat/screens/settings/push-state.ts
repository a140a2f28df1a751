// Finds out whether this browser can show notifications, and turns them on and off.
import type { Remote } from '../../client/remote.ts';

/** `unsupported`: the browser cannot show notifications. `denied`: the person has forbidden this site to show them. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

const QUIET = 'sealpost-quiet-hours';

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

/** Asks the person for permission, then subscribes with the browser and the server. Returns the new state. */
export async function turnOn(push: Remote['push'], quiet: QuietHours | undefined): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { pushManager } = await registration();
  const subscription =
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await push.key() }));
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) {
    throw new Error('This browser gave a subscription without its keys.');
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await push.subscribe({ endpoint, p256dh, auth, ...(quiet && { quietHours: { ...quiet, timeZone } }) });
  if (quiet) localStorage.setItem(QUIET, `${quiet.from} ${quiet.to}`);
  else localStorage.removeItem(QUIET);
  return 'on';
}

export async function turnOff(push: Remote['push']): Promise<PushState> {
  await push.unsubscribe();
  await (await (await registration()).pushManager.getSubscription())?.unsubscribe();
  return 'off';
}
