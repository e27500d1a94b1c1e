package io.credential.keyring.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Checks at startup that the keyring is the one that the database was sealed with. Creates a keyring only for a database
 * without sealed data, and then replaces the check values of an earlier keyring. Nodes that start at the same time end up
 * with the same keyring or fail to start. Thread-safe.
 */
public final class KeyringGuard {

    private static final Logger LOG = LoggerFactory.getLogger(KeyringGuard.class);

    /** Further attempts are needed only if another process creates the file in between. */
    private static final int MAX_ATTEMPTS = 3;

    /** Another node blocks this one only during its own check, which takes milliseconds. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** For reading all rows before a removed key is retired. */
    private static final Duration SCAN_LIMIT = Duration.ofMinutes(15);

    /** Always checked: a disabled dispatcher leaves sealed secrets behind. */
    private static final String DEFAULT_ENDPOINTS_TABLE = "_credential_webhook_endpoints";

    /** Precedes the id of a removed key; no id contains a slash. Entries of the audit log still name the key by its id. */
    private static final String RETIRED = "retired/";

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private final CredentialDatabase database;
    private final SecureRandom random;
    private final KeyChecks checks;
    private final BooleanSupplier hasOtherNodes;
    private final Consumer<Keyring> announcement;

    /**
     * @param database with its tables in place
     * @param random the source of new keys
     * @param endpointsTables the tables of webhook endpoints besides {@code _credential_webhook_endpoints}, which is
     *     always checked; they need not exist yet
     * @param hasOtherNodes whether another node is using the database: its keyring is then not replaced, even though
     *     nothing is sealed with it yet
     * @param announcement called in the transaction of each check, before it changes anything; may throw {@link
     *     KeyringException} because of another node
     * @throws IllegalArgumentException if the name of a table is malformed
     */
    public KeyringGuard(
            CredentialDatabase database,
            SecureRandom random,
            Set<String> endpointsTables,
            BooleanSupplier hasOtherNodes,
            Consumer<Keyring> announcement) {
        this.database = database;
        this.random = random;
        this.hasOtherNodes = hasOtherNodes;
        this.announcement = announcement;
        this.checks = new KeyChecks(
                database,
                Stream.concat(Stream.of(DEFAULT_ENDPOINTS_TABLE), endpointsTables.stream())
                        .map(KeyringGuard::requireTable)
                        .distinct()
                        .toList());
    }

    /**
     * Loads the keyring and checks it against the database.
     *
     * @param mayCreate whether a missing file is created, provided that the database holds no sealed data
     * @throws KeyringException if the keyring is missing, cannot be read or created, or is not that of the database
     */
    public Keyring open(KeyringFile file, boolean mayCreate) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (file.exists() || (mayCreate && create(file))) {
                Keyring keyring = file.load();
                check(keyring, file.path().toString());
                return keyring;
            }
            if (!file.exists()) {
                throw missing(file, mayCreate);
            }
        }
        throw new KeyringException(
                "The keyring " + file.path() + " was created and removed by others while this node started.",
                "Find out which other process uses that file, and start again.");
    }

    /**
     * Creates a random keyring that is not stored: data sealed with it cannot be read after this process ends. For
     * tests.
     *
     * @throws KeyringException if the database holds sealed data, or another node uses it
     */
    public Keyring generate() {
        Keyring keyring = Keyring.generate(random);
        if (!recorded(keyring)) {
            throw new KeyringException(
                    checks.holdsSealedRows()
                            ? "The keyring is ephemeral, but the database holds data that was sealed with another one."
                            : "The keyring is ephemeral, but another node uses the database with a different one.",
                    "Set 'credential.keyring.location' to the keyring of this database, or use an empty database. "
                            + otherApplication());
        }
        LOG.warn("The keyring is ephemeral: data that this process seals cannot be read after it ends");
        return keyring;
    }

    /**
     * Checks a keyring against the database: each key must be the one that the database knows by its id, and no key may
     * be missing under which a row is sealed or indexed. The check values of new keys are recorded in the database;
     * that of a key which neither the keyring nor any row uses is kept, so that no other key gets its id.
     *
     * @param name where the keyring comes from, for messages
     * @throws KeyringException if it is not that of the database
     */
    public void check(Keyring keyring, String name) {
        Map<String, String> removed = database.inTransaction(LIMIT, () -> {
            announcement.accept(keyring);
            Map<String, String> missing = compared(keyring, name);
            if (missing.isEmpty()) {
                record(keyring, name);
            }
            return missing;
        });
        if (!removed.isEmpty()) {
            // Not in the transaction that other nodes wait for: this reads all rows. They know of this node's keys
            // meanwhile.
            removed.keySet().forEach(checkId -> requireUnneededWithin(SCAN_LIMIT, checkId, name));
            database.inTransaction(LIMIT, () -> {
                record(keyring, name);
                removed.forEach(this::retire);
                return removed;
            });
        }
    }

    private void record(Keyring keyring, String name) {
        Map<String, String> own = keyring.checkValues();
        own.forEach(checks::record);
        Map<String, String> known = checks.findAll();
        own.forEach((checkId, checkValue) -> {
            requireSame(checkId, checkValue, known, name);
            requireNotReused(checkId, checkValue, known, name);
        });
    }

    /** Compares the keys that the database knows, and returns the check values of those that the keyring does not have. */
    private Map<String, String> compared(Keyring keyring, String name) {
        Map<String, String> known = checks.findAll();
        Map<String, String> missing = new HashMap<>(known);
        missing.keySet().removeIf(checkId -> checkId.startsWith(RETIRED));
        keyring.checkValues().forEach((checkId, checkValue) -> {
            requireNotReused(checkId, checkValue, known, name);
            if (missing.remove(checkId) != null) {
                requireSame(checkId, checkValue, known, name);
            }
        });
        return missing;
    }

    /**
     * Checks a keyring against the database like {@link #check}, but writes nothing.
     *
     * @param name where the keyring comes from, for messages
     * @throws KeyringException if it is not that of the database
     */
    public void requireMatching(Keyring keyring, String name) {
        compared(keyring, name).keySet().forEach(checkId -> requireUnneeded(checkId, name));
    }

    private boolean recorded(Keyring keyring) {
        try {
            return database.inTransaction(LIMIT, () -> replaceChecks(keyring.checkValues()));
        } catch (CreatedByAnother e) {
            return false;
        }
    }

    /**
     * Returns whether the file was created; false if another process was faster, or an earlier keyring may be needed.
     */
    private boolean create(KeyringFile file) {
        byte[] json = KeyringJson.generate(random);
        try {
            Map<String, String> checkValues = KeyringJson.parse(json).checkValues();
            // What this writes makes other nodes wait: none can create another keyring until this one is on the disk.
            boolean created = database.inTransaction(LIMIT, () -> {
                if (!replaceChecks(checkValues)) {
                    return false;
                }
                requireFirst(file.create(json, random));
                return true;
            });
            if (created) {
                LOG.info("Created the keyring {}. Back it up: sealed data cannot be read without it", file.path());
            }
            return created;
        } catch (CreatedByAnother e) {
            return false;
        } finally {
            Arrays.fill(json, (byte) 0);
        }
    }

    /**
     * Records the check values of a new keyring in place of those of a lost one; returns false if that one may be
     * needed. Check values alone are not sealed data: they are written before anything is sealed.
     */
    private boolean replaceChecks(Map<String, String> checkValues) {
        Map<String, String> known = checks.findAll();
        if (checks.holdsSealedRows() || (!known.isEmpty() && hasOtherNodes.getAsBoolean())) {
            return false;
        }
        known.forEach((checkId, checkValue) -> requireFirst(checks.forget(checkId, checkValue)));
        checkValues.forEach((checkId, checkValue) -> requireFirst(checks.record(checkId, checkValue)));
        if (!known.isEmpty()) {
            LOG.warn("The database was used with another keyring, but holds no sealed data: a new keyring replaces it");
        }
        return true;
    }

    private KeyringException missing(KeyringFile file, boolean mayCreate) {
        if (checks.holdsSealedRows()) {
            return new KeyringException(
                    "The keyring " + file.path() + " is missing, but the database holds data that was sealed with it.",
                    "Restore the file from a backup, or set 'credential.keyring.location' to where it is. A new keyring"
                            + " could not open that data, so none is created. " + otherApplication());
        }
        if (mayCreate) {
            return new KeyringException(
                    "The keyring " + file.path()
                            + " is missing, but another node uses the database with a different keyring.",
                    "Give every node a copy of the same keyring with 'credential.keyring.location', and set"
                            + " 'credential.mode=cluster' on each. If the other node has crashed, start again in "
                            + "half a minute. " + otherApplication());
        }
        return new KeyringException(
                "The keyring " + file.path() + " is missing, and may not be created.",
                "Set 'credential.keyring.location' to where it is, the same keyring on every node; a single node"
                        + " may create one with 'credential.keyring.create'.");
    }

    private void requireSame(String checkId, String checkValue, Map<String, String> known, String name) {
        if (checkValue.equals(known.get(checkId))) {
            return;
        }
        String problem = "The keyring " + name + " is not the one of this database: its " + nameOf(checkId)
                + " differs from the one ";
        if (checks.holdsSealedRows()) {
            throw new KeyringException(
                    problem + "that sealed the data.",
                    "Restore the keyring of this database from a backup, or connect to the database of this keyring. "
                            + otherApplication());
        }
        throw new KeyringException(
                problem + "that was used with it before.",
                "Restore the keyring of this database from a backup, or connect to the database of this keyring. Nothing"
                        + " is sealed yet: to start with this keyring anyway, stop every node and delete the rows"
                        + " of _credential_key_checks. " + otherApplication());
    }

    private String otherApplication() {
        return database.schema()
                .map(schema -> "If another application uses these tables of the schema " + schema
                        + ", give each application its own schema: create one, and add it to the JDBC URL, for example"
                        + " '?currentSchema=shop'.")
                .orElse("If another application uses this file, give each application its own, with"
                        + " 'credential.storage.path' or its JDBC URL.");
    }

    private static void requireNotReused(String checkId, String checkValue, Map<String, String> known, String name) {
        if (!checkValue.equals(known.getOrDefault(RETIRED + checkId, checkValue))) {
            throw new KeyringException(
                    "The keyring " + name + " gives the id of a removed key to another one: its " + nameOf(checkId)
                            + " differs from the one that was used with this database before.",
                    "Give the new key an id that no key had before. Entries of the audit log still name the removed key by its"
                            + " id.");
        }
    }

    private void retire(String checkId, String checkValue) {
        if (checks.forget(checkId, checkValue)) {
            checks.record(RETIRED + checkId, checkValue);
            LOG.info("The {} was removed from the keyring, and no row needs it", nameOf(checkId));
        }
    }

    private void requireUnneededWithin(Duration limit, String checkId, String name) {
        database.inTransaction(limit, () -> {
            requireUnneeded(checkId, name);
            return true;
        });
    }

    private void requireUnneeded(String checkId, String name) {
        String indexKeyId = Keyring.indexKeyId(checkId);
        boolean needed =
                indexKeyId == null ? checks.holdsRowsSealedUnder(checkId) : checks.holdsRowsIndexedUnder(indexKeyId);
        if (needed) {
            throw new KeyringException(
                    "The keyring " + name + " lacks the " + nameOf(checkId) + ", under which rows are still "
                            + (indexKeyId == null ? "sealed." : "indexed."),
                    "Put the key back beside the active one, call resealSealedColumns() for every registry and"
                            + " resealSecrets() for every webhook dispatcher, and only then remove it.");
        }
    }

    static String nameOf(String checkId) {
        String indexKeyId = Keyring.indexKeyId(checkId);
        return indexKeyId == null ? "key '" + checkId + "'" : "index key '" + indexKeyId + "'";
    }

    private static String requireTable(String name) {
        if (!TABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A table of endpoints must be named by a letter or _ and up to 62 of A-Z, a-z, 0-9 and _");
        }
        return name;
    }

    private static void requireFirst(boolean first) {
        if (!first) {
            throw new CreatedByAnother();
        }
    }

    /** Rolls back what was recorded for a keyring that was not the first. */
    private static final class CreatedByAnother extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CreatedByAnother() {
            super(null, null, false, false);
        }
    }
}
