-- unlogged: after a crash, every bucket is full again; no index on expires_at, so that updates are in place (HOT)
create unlogged table _credential_rate_limits (
    bucket     text   not null primary key,
    -- what Bucket4j stores
    state      bytea  not null,
    -- unix milliseconds; the bucket is full since then
    expires_at bigint not null
) with (fillfactor = 50);
