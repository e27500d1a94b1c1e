-- Search terms: keyed hashes of the beginnings of the names of keys, and of their scopes.
create table _credential_api_key_terms (
    namespace  text   not null,
    term       text   not null,
    created_at bigint not null,
    id         text   not null,
    primary key (namespace, term, created_at, id)
);

create index _credential_api_key_terms_by_key on _credential_api_key_terms (namespace, id);
