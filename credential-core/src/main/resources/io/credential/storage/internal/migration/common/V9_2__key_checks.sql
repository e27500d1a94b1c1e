create table _credential_key_checks (
    key_id      text not null primary key,
    check_value text not null
);
