-- Changes to the number of keys in each state. Rows are only added and removed, so that no two changes of keys wait for
-- the same row; the leader merges those of each state and hour.
create table _credential_api_key_totals (
    namespace    text   not null,
    id           text   not null,
    -- active, disabled or revoked, whatever the expiry; 'counted' is in one row once all keys were counted
    state        text   not null,
    -- hours since 1970-01-01 in UTC; 0 also for hours that are long past, the greatest number for keys without expiry
    expires_hour bigint not null,
    delta        bigint not null,
    primary key (namespace, id)
);
