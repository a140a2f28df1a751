-- The Merkle tree over all registered keys, in the order of their ids: the hash of each full subtree. The leaf of key n
-- is at level 0, position n - 1. Rows are added, but never changed or deleted.
create table key_log_node (
  level bigint not null,
  position bigint not null,
  hash text not null,
  primary key (level, position)
) {clustered};

-- The sealed backup of an account's keys. The row stays when the backup is deleted, so that no version number is used
-- twice.
create table key_backup (
  account_id {key} primary key,
  version bigint not null,
  blob text not null,
  updated_time bigint not null
);
