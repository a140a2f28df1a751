-- Servers of two versions may run on one database, while the older ones are replaced. So each tells what it is.

-- The servers that hold a node number. A row counts only while its server holds the lock of the number.
create table node_holder (
  node bigint primary key,
  -- The version of the program, such as 0.1.0.
  program text not null,
  -- The newest version of the schema that the server knows.
  schema bigint not null,
  host text not null,
  started_time bigint not null
);

-- 1 if servers that do not know this version of the schema cannot work on it.
alter table schema_version add column is_contract bigint not null default 0;
