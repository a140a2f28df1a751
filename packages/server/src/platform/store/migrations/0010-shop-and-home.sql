-- The catalogue of sticker and emoji packs. It grows only when the operator imports a pack. `texts` is a JSON list with
-- the alternative text of each picture. Stickers are numbered over all packs, in the order of each pack from
-- `first_sticker_id`, because clients know a sticker by its number alone. Emoji are numbered within their pack, so
-- their packs have 0 here.
create table product (
  id text primary key,
  type bigint not null,
  name text not null,
  names text not null,
  author text not null,
  resource_type bigint not null,
  version bigint not null,
  name_text_length bigint not null,
  first_sticker_id bigint not null,
  texts text not null,
  hash text not null unique,
  for_everyone bigint not null,
  created_time bigint not null
);

create index product_type on product (type, created_time, id);

-- One row with the next free numbers. Smaller numbers belong to packs that come with the server.
create table product_counter (
  id {key} primary key,
  next_product_id bigint not null,
  next_sticker_id bigint not null
);

insert into product_counter (id, next_product_id, next_sticker_id) values (1, 1000, 10000);

-- What an account has of a product: the time when it got the product, if it did, and its own text on the pictures.
create table owned_product (
  account_id bigint not null,
  product_id text not null,
  granted_time bigint,
  name_text text not null default '',
  primary key (account_id, product_id)
) {clustered};

-- The timeline home of an account.
create table home (
  account_id {key} primary key,
  cover_object_id text not null,
  cover_time bigint not null
);
