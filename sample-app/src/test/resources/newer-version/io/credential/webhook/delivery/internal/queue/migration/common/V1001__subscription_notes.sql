alter table ${subscriptions} add column note text;
