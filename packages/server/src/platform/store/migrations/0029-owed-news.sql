-- What accounts with many followers have yet to tell them, such as a new profile picture. Each account tells its news in
-- the order of their numbers.
create table owed_news (
  account_id bigint not null,
  number bigint not null,
  -- The operation for each follower, as JSON.
  news text not null,
  -- The followers with ids up to this one have been told.
  told_to bigint not null default 0,
  primary key (account_id, number)
) {clustered};
