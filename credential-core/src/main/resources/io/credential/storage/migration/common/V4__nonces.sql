create table _credential_nonces (
    nonce      text   not null primary key,
    expires_at bigint not null
);

create index _credential_nonces_expiring on _credential_nonces (expires_at);
