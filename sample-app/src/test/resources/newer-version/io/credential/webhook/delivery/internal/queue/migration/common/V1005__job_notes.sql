alter table ${jobs} add column note text;
