-- Two more settings get columns, because calls of other accounts, or logins, read them.
alter table settings add column refuse_friend_requests bigint not null default 0;
alter table settings add column refuse_devices bigint not null default 0;
update settings set refuse_friend_requests = 1 where changed like '%"privacyAllowFriendRequest":false%';
update settings set refuse_devices = 1 where changed like '%"privacyAllowSecondaryDeviceLogin":false%';

-- 1 for operations about which clients must not alert the user, because the account muted the chat.
alter table operation add column status bigint not null default 0;
