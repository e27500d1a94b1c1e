-- Room in each page for the versions that a claim and its outcome make of a row, and a vacuum that keeps up with them.
alter table ${deliveries} set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
