// The path of links to invites. It has a separate module, because the messenger loads it early and needs nothing else
// of the registration.

/**
 * The path of the page behind a link to an invite. The code follows after `#`; browsers do not send this part to the
 * server.
 */
export const joinPath = '/join';
