package io.credential.spring.security;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyTicket;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.ImportResult;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeyImport;
import io.credential.apikey.KeySearch;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.seal.ResealResult;

/** Verifies the tokens it was told; what a filter never calls is not supported. */
public final class FakeRegistry implements ApiKeyRegistry {

    private final String namespace;
    private final Map<String, ApiKey> keys = new ConcurrentHashMap<>();
    private final AtomicInteger verifications = new AtomicInteger();
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable RateLimit rateLimit;
    private volatile @Nullable Quota quota;

    FakeRegistry(String namespace) {
        this.namespace = namespace;
    }

    void put(String token, ApiKey key) {
        keys.put(token, key);
    }

    public void forget() {
        keys.clear();
    }

    /** Every verification fails like this from now on; null for no longer. */
    public void failWith(@Nullable RuntimeException exception) {
        failure = exception;
    }

    /** Limits every key from now on. */
    void limit(RateLimit limit) {
        rateLimit = limit;
    }

    /** Gives every key this quota from now on; null for none. */
    void quota(@Nullable Quota quota) {
        this.quota = quota;
    }

    int verifications() {
        return verifications.get();
    }

    @Override
    public Optional<ApiKey> verify(@Nullable String token) {
        verifications.incrementAndGet();
        RuntimeException exception = failure;
        if (exception != null) {
            throw exception;
        }
        return token == null ? Optional.empty() : Optional.ofNullable(keys.get(token));
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String prefix() {
        return "bk";
    }

    @Override
    public Optional<Quota> quota() {
        return Optional.ofNullable(quota);
    }

    @Override
    public Optional<RateLimit> rateLimit() {
        return Optional.ofNullable(rateLimit);
    }

    @Override
    public IssuedApiKey issue(IssueRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyTicket ticket(ApiKey key, Duration lifetime) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiKey> redeem(@Nullable String ticket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean revoke(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean disable(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean enable(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyPage list(ListOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RotatedApiKey rotate(String id, Rotation rotation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyPage search(KeySearch search) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyTotals totals() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ApiKey> listForOwner(String ownerId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyPage listForOwner(String ownerId, ListOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiKey> getById(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ImportResult importKeys(Iterator<KeyImport> keys, ImportOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ApiKeyUsage> usage(String id, LocalDate from, LocalDate to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int revokeAllForOwner(String ownerId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int eraseAllForOwner(String ownerId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int purgeExpired() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResealResult resealSealedColumns() {
        throw new UnsupportedOperationException();
    }
}
