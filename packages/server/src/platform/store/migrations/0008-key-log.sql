-- The Merkle tree over all registered keys, in the order of their ids: the hash of each full subtree. The leaf of key n
-- is at level 0, position n - 1. Rows are only ever added.
create table key_log_node (
  level bigint not null,
  position bigint not null,
  hash text not null,
  primary key (level, position)
) {clustered};

-- One sealed backup of keys for an account. The row stays when the backup goes, so that a version never comes twice.
create table key_backup (
  account_id {key} primary key,
  version bigint not null,
  blob text not null,
  updated_time bigint not null
);
