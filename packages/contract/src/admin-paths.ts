// Paths of the admin API for callers that do not load its schemas.

/** The beginning of the path of every endpoint of the admin API. */
export const adminRoot = '/api/admin/v1';

/** The path, below `adminRoot`, at which a caller asks for a proof before it sends the admin token. */
export const adminProofPath = '/proof';
