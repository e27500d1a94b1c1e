-- room in each page for the new version of a row whose last use is noted
alter table _credential_api_keys set (fillfactor = 80);
