/**
 * The `parameterMap` of SESSION_LOGGED_OUT if the session ended because its account was deleted. For every other reason
 * it is null.
 */
export const accountDeleted = { cause: 'ACCOUNT_DELETED' } as const;
