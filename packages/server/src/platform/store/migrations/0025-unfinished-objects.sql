-- Abandoned uploads are found without reading the complete objects of an account.
create index media_object_unfinished on media_object (account_id, changed_time) where whole = 0;
