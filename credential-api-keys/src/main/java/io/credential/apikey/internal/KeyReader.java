package io.credential.apikey.internal;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.ListOptions;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.secret.internal.Base64Url;

/** Reads keys for their administration. */
final class KeyReader {

    private static final String LIST = "apikey.list";
    private static final int EXPIRING_PAGE = 100;
    private static final int MAX_REPORTED = 1000;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final @Nullable JdbcUsageStore usage;
    private final InstantSource clock;

    /** The ids of the rows that were reported on the day {@link #reportedOn}, so that not every listing reports them. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    private final AtomicLong reportedOn = new AtomicLong();

    /** @param usage null if usage is not counted */
    KeyReader(
            Operations operations,
            RowAccess rows,
            JdbcApiKeyStore store,
            RowProtection protection,
            @Nullable JdbcUsageStore usage,
            InstantSource clock) {
        this.operations = operations;
        this.rows = rows;
        this.store = store;
        this.protection = protection;
        this.usage = usage;
        this.clock = clock;
    }

    Optional<ApiKey> getById(String id) {
        return operations.read("apikey.get", () -> {
            Optional<ApiKey> key = rows.find(id).map(this::trusted);
            return new Result<>(key, key.map(ApiKey::id).orElse(null), Map.of("found", key.isPresent()));
        });
    }

    /**
     * Returns one key without an audit event, for background work.
     *
     * @return empty also for a row that cannot be opened, which is audited once a day
     * @throws ApiKeyException {@code api-key/unavailable}
     */
    Optional<ApiKey> find(String id) {
        List<ApiKeyException> failures = new ArrayList<>();
        Optional<ApiKey> key =
                Operations.orUnavailable(() -> rows.find(id)).flatMap(row -> readable(row, this::trusted, failures));
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return key;
    }

    List<ApiKeyUsage> usage(String id, LocalDate from, LocalDate to) {
        return operations.read("apikey.usage", () -> {
            JdbcUsageStore stored = requireUsage(from, to);
            List<ApiKeyUsage> days = KeyRules.isId(id) ? stored.find(store.namespace(), id, from, to) : List.of();
            return new Result<>(days, days.isEmpty() ? null : id, Map.of("count", days.size()));
        });
    }

    private JdbcUsageStore requireUsage(LocalDate from, LocalDate to) {
        long days = ChronoUnit.DAYS.between(KeyRules.required(from, "from"), KeyRules.required(to, "to"));
        if (days < 0 || days >= ApiKeyUsage.DAYS_KEPT) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "The usage from " + from + " to " + to
                            + " cannot be read: 'to' must not be before 'from', and at most " + ApiKeyUsage.DAYS_KEPT
                            + " days can be read at once");
        }
        if (usage == null) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "The usage of API keys is not counted; set 'credential.api-keys.usage.enabled' to true");
        }
        return usage;
    }

    List<ApiKey> listForOwner(String ownerId) {
        return operations.read(LIST, () -> {
            List<ApiKey> keys = new ArrayList<>();
            String cursor = null;
            do {
                ApiKeyPage page = ownerPage(ownerId, new ListOptions(false, false, ListOptions.MAX_LIMIT, cursor));
                keys.addAll(page.keys());
                cursor = page.nextCursor();
            } while (cursor != null);
            return new Result<>(List.copyOf(keys), null, Map.of("count", keys.size()));
        });
    }

    ApiKeyPage listForOwner(String ownerId, ListOptions options) {
        return operations.read(LIST, () -> {
            ApiKeyPage page = ownerPage(ownerId, options);
            return new Result<>(page, null, Map.of("count", page.keys().size()));
        });
    }

    ApiKeyPage list(ListOptions options) {
        return operations.read(LIST, () -> {
            ApiKeyPage page = page(null, options);
            return new Result<>(page, null, Map.of("count", page.keys().size()));
        });
    }

    /**
     * Reads pages of keys that expire soon, until none is left or the thread is interrupted. Not audited. Leaves out
     * rows that cannot be opened.
     *
     * @throws ApiKeyException {@code api-key/unavailable} after the last page, if the keyring lacks a key
     */
    void forEachExpiring(Duration within, Consumer<List<ApiKey>> action) {
        List<ApiKeyException> failures = new ArrayList<>();
        long now = clock.millis();
        long afterExpiresAt = now + 1; // what expires now has expired
        String afterId = "";
        List<ApiKeyRow> page;
        do {
            long expiresAt = afterExpiresAt;
            String id = afterId;
            page = Operations.orUnavailable(
                    () -> store.pages().expiring(expiresAt, id, now + within.toMillis(), EXPIRING_PAGE));
            action.accept(page.stream()
                    .flatMap(row -> readable(row, this::trusted, failures).stream())
                    .toList());
            if (!page.isEmpty()) {
                ApiKeyRow last = page.get(page.size() - 1);
                afterExpiresAt = Objects.requireNonNull(last.state().expiresAt());
                afterId = last.id();
            }
        } while (page.size() == EXPIRING_PAGE && !Thread.currentThread().isInterrupted());
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /**
     * Returns what is read of a row; empty if it cannot be opened, which is audited once a day.
     *
     * @param failures gets the first failure that says nothing about the row
     */
    <T> Optional<T> readable(ApiKeyRow row, Function<ApiKeyRow, T> read, List<ApiKeyException> failures) {
        try {
            return Optional.of(Operations.orUnavailable(() -> read.apply(row)));
        } catch (ApiKeyException e) {
            if (e.errorCode() == ApiKeyErrorCode.UNREADABLE_ROW) {
                reportOnceADay(row.id());
            } else if (failures.isEmpty()) {
                failures.add(e);
            }
            return Optional.empty();
        }
    }

    private void reportOnceADay(String id) {
        long today = clock.millis() / DAY_MILLIS;
        if (reportedOn.getAndSet(today) != today) {
            reported.clear();
        }
        if (reported.size() < MAX_REPORTED && reported.add(id)) {
            operations.integrityFailure(LIST, id);
        }
    }

    private ApiKeyPage ownerPage(String ownerId, ListOptions options) {
        return page(protection.ownerIdHashes(store.namespace(), KeyRules.ownerId(ownerId)), options);
    }

    private ApiKeyPage page(@Nullable List<String> ownerIdHashes, ListOptions options) {
        Position after = Position.of(options.cursor());
        List<ApiKeyRow> found = store.pages().list(ownerIdHashes, after, options, clock.millis(), options.limit() + 1);
        boolean more = found.size() > options.limit();
        List<ApiKeyRow> shown = more ? found.subList(0, options.limit()) : found;
        List<ApiKey> keys = shown.stream().flatMap(row -> listed(row).stream()).toList();
        if (!more) {
            return new ApiKeyPage(keys, null);
        }
        ApiKeyRow last = shown.get(shown.size() - 1);
        return new ApiKeyPage(keys, new Position(last.identity().createdAt(), last.id()).cursor());
    }

    /**
     * Leaves out a row that cannot be trusted, so that the others can still be listed. The MAC of a forged row may also name a
     * key that the keyring lacks.
     */
    Optional<ApiKey> listed(ApiKeyRow row) {
        try {
            return Optional.of(trusted(row));
        } catch (ApiKeyException e) {
            reportOnceADay(row.id());
            return Optional.empty();
        }
    }

    /** Reports a row that is not listed, if its authenticity cannot be shown. */
    void reportUnlessTrusted(ApiKeyRow row) {
        try {
            rows.requireAuthentic(row);
        } catch (ApiKeyException e) {
            reportOnceADay(row.id());
        }
    }

    private ApiKey trusted(ApiKeyRow row) {
        rows.requireAuthentic(row);
        return rows.opened(row);
    }

    /** A position in a listing from new to old, and its opaque text form. A forged row may have any time and id. */
    record Position(long createdAt, String id) {

        private static final int MAX_CURSOR_LENGTH = 1024;

        /** Longer than the id of any issued key, so no issued key sorts between a longer id and its first part. */
        private static final int MAX_ID_LENGTH = 128;

        /** PostgreSQL rejects NUL in texts. */
        private static final Pattern FORM = Pattern.compile("(-?\\d{1,19})\\.([^\\x00]{0," + MAX_ID_LENGTH + "})");

        /** Before every key. */
        private static final Position START = new Position(Long.MAX_VALUE, "");

        String cursor() {
            String start = id.length() <= MAX_ID_LENGTH ? id : id.substring(0, MAX_ID_LENGTH);
            return Base64Url.encode((createdAt + "." + start).getBytes(StandardCharsets.UTF_8));
        }

        /**
         * @throws ApiKeyException {@code api-key/bad-opt} when the cursor is not one of {@link #cursor()}
         */
        static Position of(@Nullable String cursor) {
            if (cursor == null) {
                return START;
            }
            byte[] decoded = cursor.length() <= MAX_CURSOR_LENGTH ? Base64Url.decode(cursor) : null;
            if (decoded != null) {
                Matcher form = FORM.matcher(new String(decoded, StandardCharsets.UTF_8));
                if (form.matches()) {
                    BigInteger createdAt = new BigInteger(form.group(1));
                    if (createdAt.bitLength() < Long.SIZE) {
                        return new Position(createdAt.longValue(), form.group(2));
                    }
                }
            }
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "cursor must be the nextCursor of an earlier page of the same listing");
        }
    }
}
