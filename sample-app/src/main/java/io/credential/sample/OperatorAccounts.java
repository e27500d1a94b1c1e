package io.credential.sample;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.stereotype.Service;

/** Finds the operators of the console, each of whom may do everything, in the database. */
@Service
class OperatorAccounts implements UserDetailsService {

    private static final String[] AUTHORITIES = {
        "CREDENTIAL_VIEW", "CREDENTIAL_PAYLOADS", "CREDENTIAL_OPERATE", "CREDENTIAL_KEYS", "CREDENTIAL_ADMIN"
    };

    private final JdbcClient jdbc;

    OperatorAccounts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public UserDetails loadUserByUsername(String name) {
        return jdbc.sql("select password_hash from operators where name = :name")
                .param("name", name)
                .query(String.class)
                .optional()
                .map(hash -> User.withUsername(name)
                        .password(hash)
                        .authorities(AUTHORITIES)
                        .build())
                .orElseThrow(() -> new UsernameNotFoundException("No operator has this name"));
    }
}
