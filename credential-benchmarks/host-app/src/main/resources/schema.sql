create table if not exists orders (
  id text primary key,
  item text not null,
  created_at bigint not null
);
create index if not exists orders_created_at on orders (created_at, id);
