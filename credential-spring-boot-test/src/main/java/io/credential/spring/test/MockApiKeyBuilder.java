package io.credential.spring.test;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.security.internal.ApiKeySecuritySettings;

/** Builds keys that are in no registry. Not thread-safe. */
final class MockApiKeyBuilder {

    static final String DEFAULT_ID = "0123456789abcdef";
    static final String DEFAULT_NAMESPACE = "live";
    static final String DEFAULT_OWNER = "user";

    private String id = DEFAULT_ID;
    private String namespace = DEFAULT_NAMESPACE;
    private String ownerId = DEFAULT_OWNER;
    private @Nullable String name;
    private List<String> scopes = List.of();
    private Map<String, Object> metadata = Map.of();

    MockApiKeyBuilder id(String id) {
        this.id = id;
        return this;
    }

    MockApiKeyBuilder namespace(String namespace) {
        this.namespace = namespace;
        return this;
    }

    MockApiKeyBuilder ownerId(String ownerId) {
        this.ownerId = ownerId;
        return this;
    }

    MockApiKeyBuilder name(@Nullable String name) {
        this.name = name;
        return this;
    }

    MockApiKeyBuilder scopes(String... scopes) {
        this.scopes = List.copyOf(Arrays.asList(scopes));
        return this;
    }

    MockApiKeyBuilder metadata(Map<String, Object> metadata) {
        this.metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        return this;
    }

    ApiKey build() {
        return new ApiKey(
                id,
                namespace,
                ApiKeyRegistryOptions.DEFAULT_PREFIX,
                ownerId,
                name,
                scopes,
                metadata,
                Instant.now(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                false,
                false);
    }

    /**
     * Returns the authentication of a request with this key, as of now.
     *
     * @param beans those of the application; null if there is none
     */
    static ApiKeyAuthentication authentication(ApiKey key, @Nullable BeanFactory beans) {
        ApiKeySecuritySettings settings = beans == null
                ? null
                : beans.getBeanProvider(ApiKeySecuritySettings.class).getIfAvailable();
        return ApiKeyAuthentication.of(key, Instant.now(), settings != null && settings.scopeWildcards());
    }
}
