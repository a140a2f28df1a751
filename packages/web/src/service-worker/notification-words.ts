// The words of notifications, in the language of the page. The service worker cannot ask the page, so they are kept.

export interface NotificationWords {
  readonly title: string;
  readonly body: string;
}

export async function keepNotificationWords(words: NotificationWords): Promise<void> {
  const cache = await caches.open('sealpost-words');
  await cache.put('/notification-words', new Response(JSON.stringify(words)));
}
