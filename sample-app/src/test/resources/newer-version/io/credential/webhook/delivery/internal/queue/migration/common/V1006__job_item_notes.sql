alter table ${job_items} add column note text;
