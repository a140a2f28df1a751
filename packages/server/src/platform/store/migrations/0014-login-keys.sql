-- Keys for credentials that were handed out, and those that were shown lately, which hold nothing any more. `name` is a
-- hash of the key's name and `sealed` the private key, encrypted under the name itself, which only the client has.
create table login_key (
  name text primary key,
  sealed text not null,
  expires_time bigint not null
);

create index login_key_expiry on login_key (expires_time);
