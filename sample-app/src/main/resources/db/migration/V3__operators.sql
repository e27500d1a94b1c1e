-- Who may log in to the console.
create table operators (
    name          varchar(100) not null primary key,
    -- with the name of its algorithm, as Spring Security writes it
    password_hash varchar(200) not null
);
