create table hostile_orders (id bigint primary key, item text not null);
