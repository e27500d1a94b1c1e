create table _credential_leases (
    name           text   not null primary key,
    holder         text   not null,
    epoch          bigint not null,
    -- unix milliseconds of the database's clock
    expires_at     bigint not null,
    advertised_url text,
    -- authenticates name, holder and URL; null for leases of which nothing is shown to callers
    row_mac        text
);
