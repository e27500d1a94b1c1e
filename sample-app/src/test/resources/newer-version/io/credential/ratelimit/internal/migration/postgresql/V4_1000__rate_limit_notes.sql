alter table _credential_rate_limits add column note text;
