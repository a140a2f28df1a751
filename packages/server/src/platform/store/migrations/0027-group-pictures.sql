-- The groups that show a picture of a deleted account are found without reading all groups.
create index group_chat_picture on group_chat (picture_path) where picture_path <> '';
