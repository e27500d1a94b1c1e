alter table ${attempts} add column note text;
