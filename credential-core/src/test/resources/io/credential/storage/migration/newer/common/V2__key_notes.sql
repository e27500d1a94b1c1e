alter table _credential_api_keys add column note text;
