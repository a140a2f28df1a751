// The answer of the info endpoint: the state of an object as JSON.
import type { ObjectInfo } from '@sealpost/contract/schemas';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type * as q from './queries.ts';
import { mimeShown } from './serving.ts';

/** The facts that an examination found out about the content of an object. */
export type Details = Pick<ObjectInfo, 'imageDetails' | 'videoMp4Details' | 'audioM4aDetails'>;

export const detailsOf = ({ details }: q.ObjectRow): Details => JSON.parse(details) as Details;

export function infoOf(path: ObjectPath, row: q.ObjectRow | undefined, mid: string | undefined): ObjectInfo {
  const name = { oid: row?.oid ?? path.oid, sid: path.sid, svc: path.service };
  if (!row) return { status: 'notexist', ...name };
  const whole = row.whole === 1;
  return {
    status: whole ? 'exist' : row.writer === null ? 'incompleted' : 'uploading',
    ...name,
    name: row.name,
    mime: mimeShown(row.mime),
    type: row.type,
    ctime: new Date(row.created_time).toISOString(),
    ctimeMillis: row.created_time,
    offset: row.received,
    ...(row.size !== null && { size: row.size }),
    ...(row.hash !== null && { hash: row.hash, cksum: row.hash }),
    ...(mid !== undefined && { userid: mid }),
    ...detailsOf(row),
  };
}
