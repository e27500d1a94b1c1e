alter table _credential_leases add column note text;
