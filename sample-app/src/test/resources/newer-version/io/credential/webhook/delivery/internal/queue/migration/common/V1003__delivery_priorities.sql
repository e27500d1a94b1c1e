alter table ${deliveries} add column priority integer not null default 5;
