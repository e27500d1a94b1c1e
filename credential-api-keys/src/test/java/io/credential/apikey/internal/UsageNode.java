package io.credential.apikey.internal;

import java.security.SecureRandom;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;

/**
 * A process that counts the use of one key. Arguments: the JDBC URL; the namespace; the token; how often it verifies the token
 * before a round of the background work, and how often after it; and {@code true} if it then stops, instead of being gone.
 */
final class UsageNode {

    static final int GONE = 43;

    private UsageNode() {}

    /** Returns the keyring of all nodes, which only tests use. */
    static Keyring keyring() {
        byte[] index = new byte[32];
        index[0] = 1;
        return Keyring.of("k1", Map.of("k1", SecretBytes.copyOf(new byte[32])), SecretBytes.copyOf(index));
    }

    public static void main(String[] arguments) {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            try (JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(CredentialDatabase.of(pool), keyring())
                    .random(new SecureRandom())
                    .registry(ApiKeyRegistryOptions.forNamespace(arguments[1]))
                    .countUsage(true)
                    .build()) {
                verify(registries.get(arguments[1]), arguments[2], Integer.parseInt(arguments[3]));
                registries.runBackgroundWorkOnce();
                verify(registries.get(arguments[1]), arguments[2], Integer.parseInt(arguments[4]));
                if (!Boolean.parseBoolean(arguments[5])) {
                    Runtime.getRuntime().halt(GONE);
                }
            }
        }
    }

    private static void verify(ApiKeyRegistry registry, String token, int times) {
        for (int time = 0; time < times; time++) {
            var unused = registry.verify(token).orElseThrow();
        }
    }
}
