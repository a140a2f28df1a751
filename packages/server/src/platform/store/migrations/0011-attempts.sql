-- Attempts at passwords and PINs, counted for each limit. The key is a keyed hash of the limit's name and of what the
-- limit counts by: account, address, or both. So the table does not tell who tried what.
create table attempt (
  key text primary key,
  points bigint not null,
  expires_time bigint not null
);

create index attempt_expiry on attempt (expires_time);
