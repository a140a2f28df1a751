-- A device that is logging in. The row exists for a few minutes. Its key is an id of the login itself, because a QR
-- login has no account before the code is scanned. `account_id` and `credential_digest` are set when the account is
-- known. `credential_digest` is a hash of the password's hash, so that a new password ends the login. `handover` is the
-- sealed key chain from the primary device; it is deleted as soon as the new device has it. A finished login has no
-- row.
create table pending_login (
  id text primary key,
  kind text not null,
  login_type bigint not null,
  state text not null,
  account_id bigint,
  credential_digest text,
  scanner_session_id bigint,
  system_name text not null,
  model_name text not null,
  remote_address text not null,
  secret text,
  qr_checked bigint not null default 0,
  certificate_shown bigint not null default 0,
  certificate_class text,
  pin_mac text,
  pin_checked bigint not null default 0,
  tries bigint not null default 0,
  handover text,
  confirmed_with text,
  created_time bigint not null,
  expires_time bigint not null
);

create index pending_login_account on pending_login (account_id, created_time);
create index pending_login_expiry on pending_login (expires_time);

-- The newest login that received the certificate or showed it.
alter table certificate add column session_id bigint;
