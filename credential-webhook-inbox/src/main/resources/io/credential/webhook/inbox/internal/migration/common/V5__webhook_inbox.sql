-- Incoming webhooks that are processed once: those that wait, those that failed for good, and the ids of those that were
-- processed. All times are Unix milliseconds.
create table _credential_webhook_inbox (
    -- SHA-256 over the sender and its deduplication id
    webhook_id      text    not null primary key,
    sender          text    not null,
    -- what was verified; null unless it was stored first
    scheme          text,
    algorithm       text,
    kid             text,
    -- Unix seconds
    signed_at       bigint,
    event_id        text,
    event_type      text,
    -- which of id, type and timestamp the signature covers
    signed_parts    text,
    deduplication_id text   not null,
    -- null once it is processed, and if it was not stored first
    body            bytea,
    status          text    not null check (status in ('pending', 'processed', 'dead')),
    attempts        integer not null,
    received_at     bigint  not null,
    next_attempt_at bigint  not null,
    finished_at     bigint,
    -- the class of the exception of the last attempt
    last_error      text,
    check ((status = 'pending') = (finished_at is null))
);

create index _credential_webhook_inbox_due on _credential_webhook_inbox (next_attempt_at) where status = 'pending';

create index _credential_webhook_inbox_dead on _credential_webhook_inbox (webhook_id) where status = 'dead';

create index _credential_webhook_inbox_finished on _credential_webhook_inbox (finished_at) where finished_at is not null;
