-- Rows are only inserted. The chains are numbered from 1, and so are the entries of each.
create table _credential_audit_log (
    chain            bigint not null,
    seq              bigint not null,
    -- unix milliseconds
    recorded_at      bigint not null,
    name             text   not null,
    outcome          text   not null,
    reason           text,
    actor            text,
    resource_kind    text   not null,
    resource_id      text,
    -- for a change: the version of the resource that it has created
    resource_version bigint,
    client_address   text,
    user_agent       text,
    trace_id         text,
    attributes       text   not null,
    -- SHA-256 over the digest of the previous entry and all columns above
    digest           text   not null,
    -- authenticates chain, seq and digest
    mac              text   not null,
    primary key (chain, seq)
);

create index _credential_audit_log_changes
    on _credential_audit_log (resource_id, resource_version, chain, seq) where resource_version is not null;

-- for searches, which show the newest entries of all chains first
create index _credential_audit_log_times on _credential_audit_log (recorded_at, chain, seq);

create index _credential_audit_log_verifications
    on _credential_audit_log (recorded_at, chain, seq) where name = 'audit.verify';
