-- What the administration pages ask for, found with an index.

alter table report add column assigned_to text not null default '';

create index account_kind on account (kind, id);
create index audit_subject on audit (subject, id);
create index audit_action on audit (action, id);
create index audit_actor on audit (actor, id);
create index media_usage_bytes on media_usage (bytes, account_id);
