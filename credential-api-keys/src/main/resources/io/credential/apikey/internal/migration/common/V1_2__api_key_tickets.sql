-- single-use tickets, each of which stands for a key for up to five minutes
create table _credential_api_key_tickets (
    ticket_hash text   not null primary key,
    namespace   text   not null,
    key_id      text   not null,
    expires_at  bigint not null,
    row_mac     text   not null
);

create index _credential_api_key_tickets_expiring on _credential_api_key_tickets (expires_at);
