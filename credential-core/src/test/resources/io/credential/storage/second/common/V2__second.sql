create table _credential_second (id text not null primary key);
