package io.credential.storage;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.seal.Keyring;

/**
 * Sees to it, when an application starts, that the keyring is the one its database was sealed with. Creates a keyring
 * only for a database that holds nothing sealed; of several nodes that start at once, all end up with one keyring or
 * refuse to start. Thread-safe.
 *
 * @since 0.1.0
 */
public final class KeyringGuard {

    private static final Logger LOG = LoggerFactory.getLogger(KeyringGuard.class);

    /** Each further attempt follows upon another process that created the file in between. */
    private static final int MAX_ATTEMPTS = 3;

    /** Looked at in any case: a dispatcher that is switched off leaves sealed secrets behind. */
    private static final String DEFAULT_ENDPOINTS_TABLE = "_credential_webhook_endpoints";

    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private final CredentialDatabase database;
    private final SecureRandom random;
    private final KeyChecks checks;

    /**
     * @param database with its tables in place
     * @param random the source of new keys
     */
    public KeyringGuard(CredentialDatabase database, SecureRandom random) {
        this(database, random, Set.of());
    }

    /**
     * @param database with its tables in place
     * @param random the source of new keys
     * @param endpointsTables where webhook dispatchers keep their endpoints, if not in {@code
     *     _credential_webhook_endpoints}; they need not exist yet
     * @throws IllegalArgumentException if one is no name of a table
     */
    public KeyringGuard(CredentialDatabase database, SecureRandom random, Set<String> endpointsTables) {
        this.database = database;
        this.random = random;
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
     * @param mayCreate whether a missing file is created, provided that the database holds nothing sealed
     * @throws KeyringException if there is no keyring, it cannot be read or created, or it is not that of the database
     */
    public Keyring open(KeyringFile file, boolean mayCreate) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (file.exists() || (mayCreate && create(file))) {
                Keyring keyring = file.load();
                check(keyring, file.path().toString());
                return keyring;
            }
            if (!file.exists()) {
                throw missing(file);
            }
        }
        throw new KeyringException(
                "The keyring " + file.path() + " was created and removed by others while this node started.",
                "Find out what else works on that file, and start again.");
    }

    /**
     * Checks a keyring against the database: each key must be the one that the database knows by its id, and none may be
     * missing under which a row is sealed. Keys that are new are made known to the database; a key that is gone from
     * the keyring and from every row is forgotten.
     *
     * @param name where the keyring comes from, for messages
     * @throws KeyringException if it is not that of the database
     */
    public void check(Keyring keyring, String name) {
        database.inTransaction(() -> {
            Map<String, String> own = keyring.checkValues();
            own.forEach(checks::record);
            Map<String, String> known = checks.findAll();
            own.forEach((keyId, checkValue) -> requireSame(keyId, checkValue, known, name));
            known.forEach((keyId, checkValue) -> {
                if (!own.containsKey(keyId)) {
                    retire(keyId, checkValue, name);
                }
            });
            return own;
        });
    }

    /** Whether the file was created; false when the database, or another process, was ahead. */
    private boolean create(KeyringFile file) {
        byte[] json = KeyringJson.generate(random);
        try {
            Map<String, String> checkValues = KeyringJson.parse(json).checkValues();
            // What this inserts makes other nodes wait: none can create another keyring until this one is on the disk.
            boolean created = database.inTransaction(() -> {
                if (!checks.findAll().isEmpty() || checks.holdsSealedRows()) {
                    return false;
                }
                checkValues.forEach((keyId, checkValue) -> requireFirst(checks.record(keyId, checkValue)));
                requireFirst(file.create(json, random));
                return true;
            });
            if (created) {
                LOG.info(
                        "Created the keyring {}. Back it up: without it nothing that is sealed can be read",
                        file.path());
            }
            return created;
        } catch (CreatedByAnother e) {
            return false;
        } finally {
            Arrays.fill(json, (byte) 0);
        }
    }

    private KeyringException missing(KeyringFile file) {
        if (!checks.findAll().isEmpty() || checks.holdsSealedRows()) {
            return new KeyringException(
                    "The keyring " + file.path() + " is missing, but the database holds data that was sealed with it.",
                    "Restore the file from a backup, or set 'credential.keyring.location' to where it is. A new keyring"
                            + " could not open that data, so none is created.");
        }
        return new KeyringException(
                "There is no keyring at " + file.path() + ", and it may not be created.",
                "Set 'credential.keyring.location' to where it is, the same keyring on every node; a single node"
                        + " may create one with 'credential.keyring.create'.");
    }

    private static void requireSame(String keyId, String checkValue, Map<String, String> known, String name) {
        if (!checkValue.equals(known.get(keyId))) {
            throw new KeyringException(
                    "The keyring " + name + " is not the one of this database: its "
                            + (keyId.equals(Keyring.INDEX_ID) ? "index key" : "key '" + keyId + "'")
                            + " is another than the one that sealed the data.",
                    "Restore the keyring of this database from a backup, or connect to the database of this keyring.");
        }
    }

    private void retire(String keyId, String checkValue, String name) {
        if (checks.holdsRowsSealedUnder(keyId)) {
            throw new KeyringException(
                    "The keyring " + name + " lacks the key '" + keyId + "', under which rows are still sealed.",
                    "Put the key back beside the active one, call resealSealedColumns() for every registry and"
                            + " resealSecrets() for every webhook dispatcher, and only then remove it.");
        }
        checks.forget(keyId, checkValue);
        LOG.info("The key '{}' is gone from the keyring, and no row needs it", keyId);
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

    /** Rolls back what was recorded for a keyring that lost. */
    private static final class CreatedByAnother extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CreatedByAnother() {
            super(null, null, false, false);
        }
    }
}
