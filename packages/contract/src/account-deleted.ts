/**
 * The `parameterMap` of SESSION_LOGGED_OUT if the session ended because its account was deleted. If the session ended
 * for another reason, `parameterMap` is null.
 */
export const accountDeleted = { cause: 'ACCOUNT_DELETED' } as const;
