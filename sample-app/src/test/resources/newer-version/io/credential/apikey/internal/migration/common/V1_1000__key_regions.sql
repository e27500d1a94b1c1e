-- What a newer version could add. Each script locks one table that exists already.
alter table _credential_api_keys
    add column region text,
    add column priority integer not null default 5;

create index _credential_api_keys_by_region on _credential_api_keys (region) where region is not null;

create table _credential_key_regions (
    region text not null primary key
);
