-- A row with remembered_since and window_millis says since when the nonces of a verifier are remembered, and for how long.
create table _credential_nonces (
    nonce            text   not null primary key,
    expires_at       bigint not null,
    remembered_since bigint,
    window_millis    bigint
);

create index _credential_nonces_expiring on _credential_nonces (expires_at);
