package io.credential.apikey;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditEvent;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

/** A registry with its own namespace over a real database, with a clock and an audit trail to look at. */
public final class RegistryFixture {

    public static final SecureRandom RANDOM = new SecureRandom();

    public final MutableClock clock = MutableClock.atNewYear();
    public final List<AuditEvent> audit = new CopyOnWriteArrayList<>();
    public final CredentialDatabase database;
    public final Keyring keyring;
    public final String namespace;
    public final JdbcApiKeyRegistries registries;
    public final ApiKeyRegistry registry;

    public RegistryFixture(TestDatabase database) {
        this(database, options -> options);
    }

    public RegistryFixture(TestDatabase database, UnaryOperator<ApiKeyRegistryOptions> options) {
        this(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RANDOM),
                newNamespace(),
                options,
                builder -> builder);
    }

    RegistryFixture(
            CredentialDatabase database,
            Keyring keyring,
            String namespace,
            UnaryOperator<ApiKeyRegistryOptions> options,
            UnaryOperator<JdbcApiKeyRegistries.Builder> builder) {
        this.database = database;
        this.keyring = keyring;
        this.namespace = namespace;
        this.registries = builder.apply(JdbcApiKeyRegistries.builder(database, keyring)
                        .clock(clock)
                        .random(RANDOM)
                        .auditSink(audit::add)
                        .actor(() -> "tester")
                        .registry(options.apply(ApiKeyRegistryOptions.forNamespace(namespace))))
                .build();
        this.registry = registries.get(namespace);
    }

    /** The keys of another registry, over another connection pool. */
    public RegistryFixture(CredentialDatabase database, Keyring keyring, String namespace) {
        this(database, keyring, namespace, options -> options, builder -> builder);
    }

    /** A registry of a new namespace under that keyring. */
    public static RegistryFixture with(CredentialDatabase database, Keyring keyring) {
        return with(database, keyring, builder -> builder);
    }

    public static RegistryFixture with(
            CredentialDatabase database, Keyring keyring, UnaryOperator<JdbcApiKeyRegistries.Builder> builder) {
        return new RegistryFixture(database, keyring, newNamespace(), options -> options, builder);
    }

    /** The same rows, seen by a registry with other options and perhaps another keyring, on the same clock. */
    public RegistryFixture reopened(
            Keyring other,
            UnaryOperator<ApiKeyRegistryOptions> options,
            UnaryOperator<JdbcApiKeyRegistries.Builder> builder) {
        RegistryFixture reopened = new RegistryFixture(database, other, namespace, options, builder);
        reopened.clock.set(clock.instant());
        return reopened;
    }

    public static String newNamespace() {
        byte[] bytes = new byte[6];
        RANDOM.nextBytes(bytes);
        return "ns-" + HexFormat.of().formatHex(bytes);
    }

    public IssuedApiKey issue() {
        return registry.issue(IssueRequest.forOwner("user-42").scopes("read:orders"));
    }

    /** Runs a change behind the registry's back; {@code set} is an assignment such as {@code revoked_at = null}. */
    public void tamper(String id, String set) {
        int changed = jdbc().sql(
                        "update _credential_api_keys set " + set + " where namespace = :namespace and id = :id")
                .param("namespace", namespace)
                .param("id", id)
                .update();
        if (changed != 1) {
            throw new AssertionError("no such row: " + id);
        }
    }

    /** What is stored in a column, as text. */
    public String stored(String id, String column) {
        return jdbc().sql("select " + column + " from _credential_api_keys where namespace = :namespace and id = :id")
                .param("namespace", namespace)
                .param("id", id)
                .query((row, index) -> row.getString(1))
                .list()
                .get(0);
    }

    /** All stored columns by their names. */
    public Map<String, @Nullable Object> row(String id) {
        return jdbc().sql("select * from _credential_api_keys where namespace = :namespace and id = :id")
                .param("namespace", namespace)
                .param("id", id)
                .query()
                .singleRow();
    }

    public JdbcClient jdbc() {
        return database.jdbc();
    }

    /** The audit trail in short: {@code apikey.verify failure revoked}. */
    public List<String> trail() {
        return audit.stream()
                .map(event -> event.name() + " " + event.outcome().text()
                        + (event.reason() == null ? "" : " " + event.reason()))
                .toList();
    }
}
