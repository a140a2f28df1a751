// A module of its own, because the messenger loads it at first and needs nothing else of the registration.

/** The path of the page behind a link to an invite. The code stands after `#`, which browsers do not send. */
export const joinPath = '/join';
