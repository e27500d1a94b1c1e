create table orders (
    id         varchar(36)  not null primary key,
    item       varchar(255) not null,
    created_at bigint       not null
);

create index orders_by_age on orders (created_at desc, id desc);
