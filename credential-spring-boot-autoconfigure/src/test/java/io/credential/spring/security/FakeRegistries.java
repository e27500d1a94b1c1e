package io.credential.spring.security;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyToken;
import io.credential.ratelimit.RateLimit;

/** Registries in memory, with keys that are put in by hand and an outage that can be switched on. */
public final class FakeRegistries implements ApiKeyRegistries {

    private static final String ID = "0011223344556677";
    private static final String SECRET = "00112233445566778899aabbccddeeff";

    private final Map<String, FakeRegistry> registries = new LinkedHashMap<>();

    public FakeRegistries(String... namespaces) {
        for (String namespace : namespaces) {
            registries.put(namespace, new FakeRegistry(namespace));
        }
    }

    /** A token that has the right form whether or not anybody knows it. */
    public static String token(String namespace) {
        return "bk_" + namespace + "_" + ID + "_" + SECRET;
    }

    public static ApiKey key(String namespace, String... scopes) {
        return limited(namespace, null, scopes);
    }

    static ApiKey limited(String namespace, @Nullable RateLimit limit, String... scopes) {
        return key(namespace, limit, List.of(), scopes);
    }

    /** Returns a key that may be used only from these networks. */
    static ApiKey restricted(String namespace, List<String> networks, String... scopes) {
        return key(namespace, null, networks, scopes);
    }

    private static ApiKey key(String namespace, @Nullable RateLimit limit, List<String> networks, String... scopes) {
        return new ApiKey(
                ID,
                namespace,
                "bk",
                "owner-1",
                null,
                List.of(scopes),
                Map.of("plan", "gold"),
                Instant.EPOCH,
                null,
                null,
                null,
                null,
                null,
                null,
                limit,
                null,
                networks,
                false,
                false);
    }

    /** Makes {@link #token} of this namespace a key with these scopes. */
    public FakeRegistries issue(String namespace, String... scopes) {
        get(namespace).put(token(namespace), key(namespace, scopes));
        return this;
    }

    public int verifications() {
        return registries.values().stream()
                .mapToInt(FakeRegistry::verifications)
                .sum();
    }

    @Override
    public FakeRegistry get(String namespace) {
        FakeRegistry registry = registries.get(namespace);
        if (registry == null) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "No registry has the namespace " + namespace);
        }
        return registry;
    }

    @Override
    public Optional<ApiKeyRegistry> forToken(@Nullable String token) {
        return ApiKeyToken.parse(token).map(parsed -> registries.get(parsed.namespace()));
    }

    @Override
    public Collection<ApiKeyRegistry> all() {
        return List.copyOf(registries.values());
    }
}
