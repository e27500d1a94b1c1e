package io.credential.spring.console.browser;

import java.util.Base64;
import java.util.List;
import java.util.Locale;

import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A user of the {@link ConsoleHost}. */
enum ConsoleUser {
    /** May do everything. */
    OPERATOR("CREDENTIAL_VIEW,CREDENTIAL_PAYLOADS,CREDENTIAL_OPERATE,CREDENTIAL_KEYS,CREDENTIAL_ADMIN"),
    /** Has chosen a hostile name, and may do what is audited. */
    ATTACKER("CREDENTIAL_VIEW,CREDENTIAL_OPERATE,CREDENTIAL_KEYS") {
        @Override
        String username() {
            return HostileText.SCRIPT + HostileText.IMAGE;
        }
    },

    /** May only look. */
    VIEWER("CREDENTIAL_VIEW"),
    /** Has a login, but nothing to do with the console. */
    STRANGER("SHOP");

    static final String PASSWORD = "password";

    private final String authorities;

    ConsoleUser(String authorities) {
        this.authorities = authorities;
    }

    String username() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the value of a header with name and password. */
    String basicCredentials() {
        String credentials = username() + ":" + PASSWORD;
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
    }

    List<GrantedAuthority> authorities() {
        return AuthorityUtils.commaSeparatedStringToAuthorityList(authorities);
    }
}
