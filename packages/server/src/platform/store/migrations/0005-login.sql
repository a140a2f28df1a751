-- A device on its way into an account. Lives for minutes, and a QR login has no account before its scan, so the key is
-- its own id. `account_id` and `credential_digest` (a hash of the password's hash, so that a new password ends it) are
-- set when it is known whose login it is. `handover` is the sealed key chain as the primary device gave it; it goes as
-- soon as the new device has it. A finished login has no row.
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

-- The newest login that got or showed the certificate.
alter table certificate add column session_id bigint;
