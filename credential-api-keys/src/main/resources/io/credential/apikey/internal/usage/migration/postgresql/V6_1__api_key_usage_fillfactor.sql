-- room in each page for the new version of a row, which is written every second while its key is used
alter table _credential_api_key_usage set (fillfactor = 50);
