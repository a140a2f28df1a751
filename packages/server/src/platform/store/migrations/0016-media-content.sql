-- The field `hasContent` of a media message says whether its object exists. So far, sealed messages had false although
-- the object existed. Plain messages of some clients had true before the object existed. Types 1, 2, 3 and 14 are
-- media. A plain object has the id of its message.
update message set body = replace(body, '"hasContent":false', '"hasContent":true')
where unsent = 0 and content_type in (1, 2, 3, 14) and body like '%"hasContent":false%'
  and (exists (select 1 from media_carrier c join media_object o on o.account_id = c.owner_id and o.oid = c.oid
      where c.chat_id = message.chat_id and c.message_id = message.id and o.whole = 1)
    or exists (select 1 from media_object o
      where o.account_id = message.sender_id and o.oid = cast(message.id as text) and o.whole = 1));

update message set body = replace(body, '"hasContent":true', '"hasContent":false')
where unsent = 0 and content_type in (1, 2, 3, 14) and body like '%"hasContent":true%'
  and not exists (select 1 from media_carrier c join media_object o on o.account_id = c.owner_id and o.oid = c.oid
      where c.chat_id = message.chat_id and c.message_id = message.id and o.whole = 1)
  and not exists (select 1 from media_object o
      where o.account_id = message.sender_id and o.oid = cast(message.id as text) and o.whole = 1);
