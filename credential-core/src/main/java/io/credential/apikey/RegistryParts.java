package io.credential.apikey;

import java.time.InstantSource;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditTrail;
import io.credential.cluster.Leadership;
import io.credential.secret.RandomHex;
import io.credential.secret.SecretHasher;
import io.credential.storage.CredentialDatabase;

/** What the operations of one registry share. */
record RegistryParts(
        ApiKeyRegistryOptions options,
        CredentialDatabase database,
        JdbcApiKeyStore store,
        RowProtection protection,
        SecretHasher hasher,
        Leadership leadership,
        LastUses lastUses,
        AuditTrail audit,
        Supplier<@Nullable String> actor,
        InstantSource clock,
        RandomHex random) {

    String namespace() {
        return options.namespace();
    }
}
