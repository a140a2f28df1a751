-- The relation of one account (`owner_id`) to another. Both accounts of a relation have a row, so that every question
-- can be answered from the rows of one owner. `added_by_time` says since when the other account has had the owner as a
-- contact; 0 means that it has not.
create table contact (
  owner_id bigint not null,
  contact_id bigint not null,
  added bigint not null default 0,
  added_time bigint not null default 0,
  added_by_time bigint not null default 0,
  type bigint not null default 0,
  deleted bigint not null default 0,
  blocked bigint not null default 0,
  recommendation_blocked bigint not null default 0,
  muted bigint not null default 0,
  hidden bigint not null default 0,
  favorite_time bigint not null default 0,
  name_override text not null default '',
  ringtone text not null default '',
  ringback_tone text not null default '',
  primary key (owner_id, contact_id)
) {clustered};

-- Settings that an account changed. An account without a row has the defaults. Settings that calls of other accounts
-- read have columns; all others are in the JSON by field name.
create table settings (
  account_id {key} primary key,
  refuse_strangers bigint not null default 0,
  hide_phone bigint not null default 0,
  hide_userid bigint not null default 0,
  hide_email bigint not null default 0,
  changed text not null default '{}'
);

-- Notices from the operator. An empty language or country means all of them.
create table notice (
  id {key} primary key,
  language text not null,
  country text not null,
  title text not null,
  body text not null,
  show_timing_when_login bigint not null,
  created_time bigint not null,
  withdrawn_time bigint
);

-- Reports of abuse, as clients sent them. `reported_id` is the account that the report is about.
create table report (
  id {key} primary key,
  reporter_id bigint not null,
  reported_id bigint not null,
  created_time bigint not null,
  report text not null,
  status text not null,
  resolution text not null default '',
  resolved_by text not null default '',
  resolved_time bigint
);

create index report_status on report (status, id);
create index report_reported on report (reported_id, id);
