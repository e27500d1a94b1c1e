-- At most one row: the first start was made, and its admin key is printed.
create table first_start (
    only_row integer not null primary key check (only_row = 1),
    made_at  bigint  not null
);
