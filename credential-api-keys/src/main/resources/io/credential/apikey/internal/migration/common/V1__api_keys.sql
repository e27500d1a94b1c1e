create table _credential_api_keys (
    namespace             text   not null,
    id                    text   not null,
    prefix                text   not null,
    owner_id_hash         text   not null,
    owner_id              text   not null,
    scopes                text   not null,
    metadata              text   not null,
    -- name, creator and rate limit, sealed in one cell; null for a key that has none of them
    details               text,
    secret_hash           text   not null,
    secondary_secret_hash text,
    secondary_expires_at  bigint,
    created_at            bigint not null,
    expires_at            bigint,
    disabled_at           bigint,
    revoked_at            bigint,
    -- counts the changes of the row, so that an earlier one that was put back shows in the audit log
    version               bigint not null default 1,
    -- in no index: PostgreSQL then updates it in place (HOT)
    last_used_at          bigint,
    -- null in rows written before rows were authenticated
    row_mac               text,
    primary key (namespace, id)
);

create index _credential_api_keys_by_owner
    on _credential_api_keys (namespace, owner_id_hash, created_at desc, id desc);

create index _credential_api_keys_by_age
    on _credential_api_keys (namespace, created_at desc, id desc);

create index _credential_api_keys_revoked
    on _credential_api_keys (namespace, revoked_at) where revoked_at is not null;

create index _credential_api_keys_expiring
    on _credential_api_keys (namespace, expires_at, id) where expires_at is not null;
