-- The address at which the browser of a session receives push messages, and the keys to encrypt them for this browser.
-- `quiet_hours` is JSON, or empty if there are none. `owed_chat` is the chat of the newest push that could not be sent
-- yet. `owed_time` is the time of the next attempt.
create table push_subscription (
  account_id bigint not null,
  session_id bigint not null,
  endpoint text not null,
  endpoint_digest text not null,
  p256dh text not null,
  auth text not null,
  quiet_hours text not null,
  created_time bigint not null,
  owed_chat text,
  owed_tries bigint not null default 0,
  owed_time bigint,
  primary key (account_id, session_id)
) {clustered};

create index push_subscription_endpoint on push_subscription (endpoint_digest);
create index push_subscription_owed on push_subscription (owed_time);
