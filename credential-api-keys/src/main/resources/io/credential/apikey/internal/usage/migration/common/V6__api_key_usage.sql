create table _credential_api_key_usage (
    namespace           text    not null,
    id                  text    not null,
    -- days since 1970-01-01, in UTC
    day                 integer not null,
    -- with a valid key, including those that were rejected for one of the reasons below
    requests            bigint  not null,
    rejected_by_rate    bigint  not null,
    rejected_by_scope   bigint  not null,
    rejected_by_network bigint  not null,
    rejected_by_quota   bigint  not null,
    primary key (namespace, id, day)
);

create index _credential_api_key_usage_by_day on _credential_api_key_usage (namespace, day, id);
