-- Orders of the operator to remove what is older than a time: 'messages' or 'media'. All servers of the database carry
-- them out, in small steps.
create table retention_order (
  what text primary key,
  before_time bigint not null
);

-- Messages that only one account sees, and what others keep about an account: both are removed with the account.
create index message_only_for on message (only_for) where only_for is not null;
create index contact_contact on contact (contact_id);
