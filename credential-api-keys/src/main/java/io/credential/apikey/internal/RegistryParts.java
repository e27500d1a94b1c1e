package io.credential.apikey.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.cache.InvalidatedCache;
import io.credential.apikey.internal.foreign.ForeignTokens;
import io.credential.apikey.internal.search.SearchTerms;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.totals.JdbcKeyTotals;
import io.credential.apikey.internal.totals.TotalsMaintenance;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.apikey.internal.usage.UsageCounts;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Sealer;
import io.credential.secret.internal.RandomHex;

/**
 * Creates the components of the registries: first the shared ones, then those of each registry, then the background
 * work.
 */
final class RegistryParts {

    private static final int MAX_PENDING_USES = 100_000;
    private static final int MAX_PENDING_COUNTS = 100_000;

    final KeyRowCache cache;
    final LastUses lastUses;
    final @Nullable UsageCounts usage;
    final AuditTrail unrouted;
    final Map<String, NamespaceRegistry> registries;
    final List<SecretRehasher> rehashers = new ArrayList<>();
    final BackgroundWork backgroundWork;
    final LeakResponder leaks;
    final TotalsMaintenance maintenance;

    private final JdbcApiKeyRegistries.Builder builder;
    private final Sealer sealer;
    private final RowProtection protection;
    private final JdbcTicketStore tickets;
    private final JdbcKeyTotals totals;
    private final SearchTerms terms;
    private final @Nullable JdbcUsageStore usageStore;
    private final List<AuditTrail> trails = new ArrayList<>();
    private final Map<String, KeyLeaks> leaksByTokenStart = new LinkedHashMap<>();

    RegistryParts(JdbcApiKeyRegistries.Builder builder) {
        this.builder = builder;
        this.sealer = new Sealer(builder.keyring, builder.random);
        this.protection = new RowProtection(sealer, builder.keyring);
        this.totals = new JdbcKeyTotals(builder.database, new RandomHex(builder.random));
        this.terms = new SearchTerms(builder.keyring, builder.searchNames, builder.searchScopes);
        this.tickets = new JdbcTicketStore(builder.database, builder.keyring, builder.clock);
        this.cache = new KeyRowCache(builder.database, cachedRows(builder));
        this.lastUses = new LastUses(builder.database, MAX_PENDING_USES);
        this.usageStore = builder.countUsage ? new JdbcUsageStore(builder.database) : null;
        this.usage = usageStore == null
                ? null
                : new UsageCounts(builder.database, usageStore, builder.clock, MAX_PENDING_COUNTS);
        this.unrouted = builder.auditTrail(builder.auditSink, builder.actor, true, true);
        trails.add(unrouted);
        Map<String, NamespaceRegistry> byNamespace = new LinkedHashMap<>();
        builder.registries.forEach((namespace, options) -> byNamespace.put(namespace, registry(options)));
        this.registries = Collections.unmodifiableMap(byNamespace);
        this.leaks = new LeakResponder(builder.database, leaksByTokenStart, unrouted);
        this.maintenance =
                new TotalsMaintenance(totals, List.copyOf(registries.keySet()), builder.leadership, builder.clock);
        this.backgroundWork = new BackgroundWork(lastUses, usage, rehashers, trails);
    }

    private static @Nullable InvalidatedCache<KeyRowCache.Opened> cachedRows(JdbcApiKeyRegistries.Builder builder) {
        return builder.cache == null && builder.notifications == null
                ? null
                : new InvalidatedCache<>(
                        "api-keys",
                        builder.cache,
                        KeyRowCache.Opened::size,
                        builder.notifications,
                        builder.clock,
                        System::nanoTime,
                        builder.invalidationDelays);
    }

    private NamespaceRegistry registry(ApiKeyRegistryOptions options) {
        AuditSink sink = options.auditSink() == null ? builder.auditSink : options.auditSink();
        AuditTrail audit = builder.auditTrail(sink, builder.actor, options.auditSuccess(), options.auditFailures());
        Operations operations = operations(audit);
        JdbcApiKeyStore store = store(options.namespace());
        RowAccess rows = new RowAccess(store, protection, lastUses);
        // Each registry has its own permits: one under attack does not stop the others.
        RememberedHashes hasher = new RememberedHashes(builder.hashers.apply(options.hashAlgorithm()), builder.random);
        RandomHex random = new RandomHex(builder.random);
        TokenGenerator tokens = new TokenGenerator(options, random);
        KeyIssuer issuer = new KeyIssuer(tokens, operations, store, protection, hasher, builder.actor, builder.clock);
        SecretRehasher rehasher = new SecretRehasher(operations, rows, hasher, builder.leadership);
        SecretMatcher secrets = new SecretMatcher(hasher, protection, rehasher, issuer::decoy);
        ForeignTokens foreignTokens = new ForeignTokens(options.namespace(), options.importedTokens());
        TokenReader reader = new TokenReader(options, foreignTokens);
        TokenJudge judge = new TokenJudge(options, reader, cache, store, protection, secrets, builder.clock);
        KeyReader keys = new KeyReader(operations, rows, store, protection, usageStore, builder.clock);
        KeyUses uses = new KeyUses(options.trackLastUsed(), lastUses, usage);
        trails.add(audit);
        rehashers.add(rehasher);
        addLeaks(options, sink, rows, foreignTokens, secrets);
        KeyUpdater updater = new KeyUpdater(operations, rows, store, protection, issuer, builder.clock, options);
        return new NamespaceRegistry(new NamespaceRegistry.Parts(
                options,
                foreignTokens,
                new ApiKeyVerifier(options, judge, uses, builder.oldSecretUses, audit, builder.observations),
                new TicketIssuer(options.namespace(), operations, tickets, random, builder.clock),
                new TicketRedeemer(options, tickets, store, protection, uses, audit, builder.clock),
                issuer,
                updater,
                keys,
                new KeySearcher(operations, rows, store, protection, keys, builder.clock),
                new KeyImporter(options, operations, store, protection, foreignTokens, builder.actor, builder.clock),
                new KeyPurger(operations, store, tickets, usageStore, builder.clock, options.purgeAfter()),
                new OwnerKeys(operations, updater, store, protection, tickets),
                idleKeys(options, sink, rows, store, keys),
                new KeyResealer(operations, store, protection, sealer, builder.allowPlainSealMigration),
                new TermReindexer(operations, rows, store)));
    }

    private Operations operations(AuditTrail audit) {
        return new Operations(builder.database, builder.leadership, audit);
    }

    private JdbcApiKeyStore store(String namespace) {
        KeyLedger ledger = new KeyLedger(builder.database, namespace, totals, terms, usageStore);
        return new JdbcApiKeyStore(builder.database, namespace, cache, ledger);
    }

    private IdleKeyDisabler idleKeys(
            ApiKeyRegistryOptions options, AuditSink sink, RowAccess rows, JdbcApiKeyStore store, KeyReader keys) {
        AuditTrail audit =
                builder.auditTrail(sink, () -> IdleKeyDisabler.ACTOR, options.auditSuccess(), options.auditFailures());
        return new IdleKeyDisabler(operations(audit), rows, store, keys, builder.clock, options.disableAfterIdle());
    }

    private void addLeaks(
            ApiKeyRegistryOptions options,
            AuditSink sink,
            RowAccess rows,
            ForeignTokens foreignTokens,
            SecretMatcher secrets) {
        AuditTrail audit = builder.auditTrail(
                sink, LeakResponder.caller(builder.actor), options.auditSuccess(), options.auditFailures());
        trails.add(audit);
        leaksByTokenStart.put(
                TokenForm.start(options.prefix(), options.namespace()),
                new KeyLeaks(operations(audit), rows, foreignTokens, secrets, audit, builder.clock));
    }

    /** Calls an action with each registry; if it fails for one, the others follow nevertheless. */
    void forEach(Consumer<NamespaceRegistry> action) {
        RuntimeException failure = null;
        for (NamespaceRegistry registry : registries.values()) {
            try {
                action.accept(registry);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
