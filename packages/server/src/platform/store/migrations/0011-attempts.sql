-- Attempts at passwords and PINs, counted for everybody that a limit is about. The key is a keyed hash of the limit's
-- name and whom it counts (account, address, both), so that nobody reads from it who tried what.
create table attempt (
  key text primary key,
  points bigint not null,
  expires_time bigint not null
);

create index attempt_expiry on attempt (expires_time);
