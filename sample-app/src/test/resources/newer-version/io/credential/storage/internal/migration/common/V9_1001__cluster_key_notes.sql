alter table _credential_cluster_keys add column note text;
