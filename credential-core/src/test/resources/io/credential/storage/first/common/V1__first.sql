create table _credential_first (id text not null primary key);
