package io.credential.apikey.internal;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
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
import io.credential.apikey.internal.foreign.ForeignTokens;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.seal.ResealResult;

/** The registry of one namespace, which delegates each operation. */
final class NamespaceRegistry implements ApiKeyRegistry {

    private final Parts parts;

    NamespaceRegistry(Parts parts) {
        this.parts = parts;
    }

    @Override
    public String namespace() {
        return parts.options().namespace();
    }

    @Override
    public String prefix() {
        return parts.options().prefix();
    }

    @Override
    public Optional<RateLimit> rateLimit() {
        return Optional.ofNullable(parts.options().rateLimit());
    }

    @Override
    public Optional<Quota> quota() {
        return Optional.ofNullable(parts.options().quota());
    }

    @Override
    public IssuedApiKey issue(IssueRequest request) {
        return parts.issuer().issue(KeyRules.required(request, "request"));
    }

    @Override
    public Optional<ApiKey> verify(@Nullable String token) {
        return parts.verifier().verify(token);
    }

    @Override
    public ApiKeyTicket ticket(ApiKey key, Duration lifetime) {
        return parts.ticketIssuer().issue(KeyRules.required(key, "key"), KeyRules.required(lifetime, "lifetime"));
    }

    @Override
    public Optional<ApiKey> redeem(@Nullable String ticket) {
        return parts.ticketRedeemer().redeem(ticket);
    }

    @Override
    public boolean revoke(String id) {
        return parts.updater().revoke(id);
    }

    @Override
    public int revokeAllForOwner(String ownerId) {
        return parts.ownerKeys().revokeAll(ownerId);
    }

    @Override
    public boolean disable(String id) {
        return parts.updater().disable(id);
    }

    @Override
    public boolean enable(String id) {
        return parts.updater().enable(id);
    }

    @Override
    public RotatedApiKey rotate(String id, Rotation rotation) {
        return parts.updater().rotate(id, KeyRules.required(rotation, "rotation"));
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        return parts.updater().update(id, KeyRules.required(changes, "changes"));
    }

    @Override
    public List<ApiKey> listForOwner(String ownerId) {
        return parts.reader().listForOwner(ownerId);
    }

    @Override
    public ApiKeyPage listForOwner(String ownerId, ListOptions options) {
        return parts.reader().listForOwner(ownerId, KeyRules.required(options, "options"));
    }

    @Override
    public ApiKeyPage list(ListOptions options) {
        return parts.reader().list(KeyRules.required(options, "options"));
    }

    @Override
    public ApiKeyPage search(KeySearch search) {
        return parts.searcher().search(KeyRules.required(search, "search"));
    }

    @Override
    public ApiKeyTotals totals() {
        return parts.searcher().totals();
    }

    @Override
    public Optional<ApiKey> getById(String id) {
        return parts.reader().getById(id);
    }

    @Override
    public int eraseAllForOwner(String ownerId) {
        return parts.ownerKeys().erase(ownerId);
    }

    @Override
    public ImportResult importKeys(Iterator<KeyImport> keys, ImportOptions options) {
        return parts.importer().importKeys(KeyRules.required(keys, "keys"), KeyRules.required(options, "options"));
    }

    @Override
    public List<ApiKeyUsage> usage(String id, LocalDate from, LocalDate to) {
        return parts.reader().usage(id, from, to);
    }

    @Override
    public int purgeExpired() {
        return parts.purger().purgeExpired();
    }

    @Override
    public ResealResult resealSealedColumns() {
        return parts.resealer().resealSealedColumns(parts.terms());
    }

    Optional<ApiKey> find(String id) {
        return parts.reader().find(id);
    }

    void forEachExpiring(Duration within, Consumer<List<ApiKey>> action) {
        parts.reader().forEachExpiring(within, action);
    }

    void disableIdle(Function<ApiKey, Runnable> onIdle) {
        parts.idleKeys().disable(onIdle);
    }

    /** Whether a text has the form of the tokens of imported keys. */
    boolean recognizes(@Nullable String text) {
        return parts.foreignTokens().read(text) != null;
    }

    /** The components of a registry, one for each kind of operation. */
    record Parts(
            ApiKeyRegistryOptions options,
            ForeignTokens foreignTokens,
            ApiKeyVerifier verifier,
            TicketIssuer ticketIssuer,
            TicketRedeemer ticketRedeemer,
            KeyIssuer issuer,
            KeyUpdater updater,
            KeyReader reader,
            KeySearcher searcher,
            KeyImporter importer,
            KeyPurger purger,
            OwnerKeys ownerKeys,
            IdleKeyDisabler idleKeys,
            KeyResealer resealer,
            TermReindexer terms) {}
}
