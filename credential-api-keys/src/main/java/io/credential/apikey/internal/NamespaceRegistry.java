package io.credential.apikey.internal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.ratelimit.RateLimit;
import io.credential.seal.ResealResult;

/** The registry of one namespace, which delegates each operation. */
final class NamespaceRegistry implements ApiKeyRegistry {

    private final ApiKeyRegistryOptions options;
    private final ApiKeyVerifier verifier;
    private final KeyIssuer issuer;
    private final KeyUpdater updater;
    private final KeyReader reader;
    private final KeyPurger purger;
    private final KeyResealer resealer;

    NamespaceRegistry(
            ApiKeyRegistryOptions options,
            ApiKeyVerifier verifier,
            KeyIssuer issuer,
            KeyUpdater updater,
            KeyReader reader,
            KeyPurger purger,
            KeyResealer resealer) {
        this.options = options;
        this.verifier = verifier;
        this.issuer = issuer;
        this.updater = updater;
        this.reader = reader;
        this.purger = purger;
        this.resealer = resealer;
    }

    @Override
    public String namespace() {
        return options.namespace();
    }

    @Override
    public String prefix() {
        return options.prefix();
    }

    @Override
    public Optional<RateLimit> rateLimit() {
        return Optional.ofNullable(options.rateLimit());
    }

    @Override
    public IssuedApiKey issue(IssueRequest request) {
        return issuer.issue(KeyRules.required(request, "request"));
    }

    @Override
    public Optional<ApiKey> verify(@Nullable String token) {
        return verifier.verify(token);
    }

    @Override
    public boolean revoke(String id) {
        return updater.revoke(id);
    }

    @Override
    public boolean disable(String id) {
        return updater.disable(id);
    }

    @Override
    public boolean enable(String id) {
        return updater.enable(id);
    }

    @Override
    public RotatedApiKey rotate(String id, Rotation rotation) {
        return updater.rotate(id, KeyRules.required(rotation, "rotation"));
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        return updater.update(id, KeyRules.required(changes, "changes"));
    }

    @Override
    public List<ApiKey> listForOwner(String ownerId) {
        return reader.listForOwner(ownerId);
    }

    @Override
    public ApiKeyPage listForOwner(String ownerId, ListOptions options) {
        return reader.listForOwner(ownerId, KeyRules.required(options, "options"));
    }

    @Override
    public ApiKeyPage list(ListOptions options) {
        return reader.list(KeyRules.required(options, "options"));
    }

    @Override
    public Optional<ApiKey> getById(String id) {
        return reader.getById(id);
    }

    @Override
    public int purgeExpired() {
        return purger.purgeExpired();
    }

    @Override
    public ResealResult resealSealedColumns() {
        return resealer.resealSealedColumns();
    }

    void forEachExpiring(Duration within, Consumer<List<ApiKey>> action) {
        reader.forEachExpiring(within, action);
    }
}
