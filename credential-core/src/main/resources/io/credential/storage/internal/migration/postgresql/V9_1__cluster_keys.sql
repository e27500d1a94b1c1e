-- The keys of the running nodes of a cluster.
create table _credential_cluster_keys (
    node        text   not null,
    check_id    text   not null,
    check_value text   not null,
    is_active   bigint not null,
    -- unix milliseconds of the database's clock
    expires_at  bigint not null,
    primary key (node, check_id)
);
