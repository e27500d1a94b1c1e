create table ${endpoints} (
    endpoint_id    text    not null${ordered} primary key,
    url            text    not null,
    scheme         text    not null default 'credential' check (scheme in ('credential', 'standard-webhooks', 'stripe', 'github')),
    -- of the schemes whose header can have any name
    signature_header text  check ((signature_header is not null) = (scheme in ('stripe', 'github'))),
    secret         text    not null,
    -- rises with each rotation; the kid of the secret is v<number>
    secret_number  integer not null default 1,
    -- the secret before the last rotation, which signs too until then
    previous_secret text,
    previous_until bigint,
    -- sealed under the same key as the secret
    headers        text,
    audience       text,
    name           text,
    metadata       text    not null default '{}',
    -- at most this many requests in any window of this many seconds
    rate_limit     integer check (rate_limit between 1 and 1000000),
    rate_window    integer check (rate_window between 1 and 86400),
    payload_format text    not null default 'raw' check (payload_format in ('raw', 'envelope')),
    -- rises when the endpoint is registered again or resumed
    version        integer not null default 1,
    created_at     bigint  not null,
    paused_at      bigint,
    pause_reason   text check (pause_reason in ('manual', 'gone', 'failing')),
    -- since when all attempts have failed, and when that was reported; not written at each attempt
    failing_since  bigint,
    reported_at    bigint,
    check ((paused_at is null) = (pause_reason is null)),
    check ((previous_secret is null) = (previous_until is null)),
    check ((rate_limit is null) = (rate_window is null))
);

create table ${subscriptions} (
    event_type  text not null${ordered},
    endpoint_id text not null${ordered},
    primary key (event_type, endpoint_id)
);

create index ${subscriptions_by_endpoint} on ${subscriptions} (endpoint_id);

-- The payload is here once, however many endpoints get it.
create table ${events} (
    event_id        text     not null${ordered} primary key,
    event_type      text     not null,
    audience        text,
    idempotency_key text,
    -- a keyed hash of the payload, which is compared when the idempotency key is used again after an erasure
    payload_digest  text,
    -- null once it is erased
    payload         ${bytes},
    -- the header of W3C Trace Context, if the dispatch was traced
    trace_parent    text,
    created_at      bigint   not null
);

create unique index ${events_by_key} on ${events} (idempotency_key) where idempotency_key is not null;

-- The audience is that of the endpoint at dispatch. A delivery's id begins with the first 24 digits of its event's id, so that the primary key finds the deliveries of an
-- event and the oldest ones. No index holds what a claim writes: PostgreSQL then changes the row in place (HOT).
create table ${deliveries} (
    delivery_id     text    not null${ordered} primary key,
    event_id        text    not null${ordered},
    endpoint_id     text    not null${ordered},
    audience        text,
    status          text    not null,
    attempts        integer not null,
    next_attempt_at bigint  not null,
    claimed_at      bigint,
    claim_token     bigint,
    claim_owner     text,
    delivered_at    bigint,
    dead_at         bigint,
    response_status integer,
    last_error      text,
    last_reason     text,
    redeliveries    integer not null default 0,
    -- how many claims in a row ended with the death of their node
    takeovers       integer not null default 0,
    created_at      bigint  not null,
    -- when it became final because its payload is erased; it cannot be sent again
    erased_at       bigint
);

-- What is neither delivered nor dead, endpoint by endpoint: the claim picks endpoints first, rows second.
create index ${deliveries_open} on ${deliveries} (endpoint_id, next_attempt_at)
    where delivered_at is null and dead_at is null;

create index ${deliveries_dead} on ${deliveries} (delivery_id) where dead_at is not null;

-- Nearly always empty.
create index ${deliveries_suspect} on ${deliveries} (next_attempt_at)
    where takeovers >= 2 and delivered_at is null and dead_at is null;

create index ${deliveries_by_endpoint} on ${deliveries} (endpoint_id, delivery_id);

create table ${attempts} (
    delivery_id     text    not null${ordered},
    claim_token     bigint  not null,
    attempt         integer not null,
    started_at      bigint  not null,
    duration        bigint  not null,
    request_headers text,
    response_status integer,
    phase           text,
    reason          text,
    error           text,
    location        text,
    response_headers text,
    response_body   text,
    primary key (delivery_id, claim_token)
);

-- A retry of many deliveries: the conditions on them, and its progress.
create table ${jobs} (
    job_id          text    not null${ordered} primary key,
    state           text    not null check (state in ('selecting', 'retrying', 'finished', 'cancelled')),
    endpoint_id     text,
    event_type      text,
    delivery_status text,
    response_status integer,
    last_reason     text,
    audience        text,
    created_from    bigint,
    created_before  bigint  not null,
    event_id        text,
    idempotency_key text,
    min_attempts    integer not null,
    -- the delivery after which the next page or batch begins; null for the first
    next_cursor     text,
    selected        bigint  not null default 0,
    done            bigint  not null default 0,
    skipped         bigint  not null default 0,
    started_by      text,
    created_at      bigint  not null,
    finished_at     bigint,
    -- covers all other columns
    row_mac         text    not null
);

create index ${jobs_open} on ${jobs} (created_at) where finished_at is null;

-- What a job has selected and not yet done, with the state in which it was selected.
create table ${job_items} (
    job_id       text    not null${ordered},
    delivery_id  text    not null${ordered},
    status       text    not null,
    redeliveries integer not null,
    primary key (job_id, delivery_id)
);

-- How attempts ended in the last 24 hours. The totals of all endpoints have an empty endpoint and type.
create table ${hourly_counts} (
    endpoint_id text   not null${ordered},
    -- hours since 1970-01-01, in UTC
    hour        bigint not null,
    -- empty also for attempts that were counted without their type
    event_type  text   not null${ordered},
    accepted    bigint not null,
    failed      bigint not null,
    dead        bigint not null,
    primary key (endpoint_id, hour, event_type)
);

create index ${hourly_counts_by_hour} on ${hourly_counts} (hour, endpoint_id);

-- The last attempts of each endpoint, from which is shown since when it fails; pauses depend on failing_since of the endpoint.
create table ${last_outcomes} (
    endpoint_id     text not null${ordered} primary key,
    last_success_at bigint,
    -- the first known failure after it
    failing_since   bigint,
    last_failure_at bigint
);
