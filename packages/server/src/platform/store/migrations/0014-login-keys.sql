-- Keys with which clients encrypt credentials, and keys that were used recently, which no longer have any content.
-- `name` is a hash of the key's name. `sealed` is the private key, encrypted under the name itself, which only the
-- client has.
create table login_key (
  name text primary key,
  sealed text not null,
  expires_time bigint not null
);

create index login_key_expiry on login_key (expires_time);
