// Paths of the admin API that are needed without its schemas.

/** The path above all endpoints of the admin API. */
export const adminRoot = '/api/admin/v1';

/** The path, below `adminRoot`, of the proof that a caller asks for before it sends the token. */
export const adminProofPath = '/proof';
