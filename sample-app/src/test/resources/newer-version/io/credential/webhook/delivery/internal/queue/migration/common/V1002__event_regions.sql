alter table ${events} add column region text not null default 'eu';
