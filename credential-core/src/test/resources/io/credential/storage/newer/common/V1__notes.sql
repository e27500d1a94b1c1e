create table _newer_notes (note text not null primary key);
