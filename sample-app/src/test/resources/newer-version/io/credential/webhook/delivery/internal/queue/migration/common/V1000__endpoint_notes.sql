alter table ${endpoints} add column note text;
