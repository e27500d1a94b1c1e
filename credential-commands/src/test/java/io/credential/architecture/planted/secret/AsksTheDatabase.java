package io.credential.architecture.planted.secret;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Breaks: secret uses the JDK and BouncyCastle only. */
public final class AsksTheDatabase {

    public Object ask(DataSource dataSource) {
        return JdbcClient.create(dataSource);
    }
}
