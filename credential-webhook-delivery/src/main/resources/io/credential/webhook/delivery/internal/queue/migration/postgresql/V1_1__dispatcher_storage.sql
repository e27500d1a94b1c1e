-- Room in each page for the versions that a claim and its outcome make of a row, and a vacuum that keeps up with them.
alter table ${deliveries} set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Room for the new versions of rows, which are written every few seconds while an endpoint gets webhooks.
alter table ${hourly_counts} set (fillfactor = 50);
alter table ${last_outcomes} set (fillfactor = 50);
