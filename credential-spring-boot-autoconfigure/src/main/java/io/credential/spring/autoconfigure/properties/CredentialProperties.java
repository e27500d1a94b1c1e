package io.credential.spring.autoconfigure.properties;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.storage.SchemaMode;

/**
 * Configuration properties that all products share. Immutable.
 *
 * @param mode Mode of operation: 'single' for one node, 'cluster' for several nodes that share one PostgreSQL database.
 * @param storage the database
 * @param keyring the keyring
 * @param seal access to sealed data
 * @param cluster cluster mode
 * @since 0.1.0
 */
@ConfigurationProperties("credential")
public record CredentialProperties(
        @DefaultValue("single") Mode mode,
        @DefaultValue Storage storage,
        @DefaultValue Keyring keyring,
        @DefaultValue Seal seal,
        @DefaultValue Cluster cluster) {

    public CredentialProperties {
        PropertyRules.require(
                mode == Mode.SINGLE || !Boolean.TRUE.equals(keyring.create),
                "credential.keyring.create",
                true,
                "In cluster mode every node needs the same keyring, so none is created. Remove the property, and give"
                        + " every node a copy of one keyring with 'credential.keyring.location'.");
        PropertyRules.require(
                mode == Mode.SINGLE || !keyring.isEphemeral(),
                "credential.keyring.location",
                keyring.location,
                "In cluster mode every node needs the same keyring, but an ephemeral one exists only on one node. Give"
                        + " every node a copy of one keyring.");
    }

    /** Returns whether a missing keyring is created: as configured, by default only in single mode. */
    public boolean createKeyring() {
        return keyring.create != null ? keyring.create : mode == Mode.SINGLE;
    }

    /** The number of nodes. */
    public enum Mode {
        /** One node. */
        SINGLE,
        /** Several nodes that share a PostgreSQL database; one of them is the leader. */
        CLUSTER
    }

    /**
     * Configuration properties of the database.
     *
     * @param path Local SQLite file, used in single mode if the application has no DataSource.
     * @param schema How the tables are handled at startup: 'migrate' creates and updates them, 'validate' checks them,
     *     'none' does nothing.
     */
    public record Storage(
            @DefaultValue("./data/credential.db") String path,
            @DefaultValue("migrate") SchemaMode schema) {

        public Storage {
            PropertyRules.requireResolved("credential.storage.path", path);
            PropertyRules.require(
                    !path.isBlank() && path.indexOf('?') < 0 && path.indexOf('\0') < 0,
                    "credential.storage.path",
                    path,
                    "It must be the name of a file, without '?'.");
        }
    }

    /**
     * Configuration properties of the keyring.
     *
     * @param location Location of the keyring: a Spring resource such as 'file:' or 'classpath:', 'base64:' followed by
     *     the encoded keyring, or 'ephemeral:' for a random keyring in memory.
     * @param create Whether to create a missing keyring file if the database holds no sealed data; false by default in
     *     cluster mode.
     * @param allowGroupRead Whether to accept a keyring file that its group can read, provided that this process cannot
     *     write it.
     */
    public record Keyring(
            @DefaultValue("file:./data/credential-keyring.json")
            String location,

            @Nullable Boolean create,
            @DefaultValue("false") boolean allowGroupRead) {

        private static final String INLINE = "base64:";
        private static final String EPHEMERAL = "ephemeral:";

        public Keyring {
            PropertyRules.requireResolved("credential.keyring.location", location);
            PropertyRules.require(
                    !location.isBlank(),
                    "credential.keyring.location",
                    location,
                    "It must name a resource, for example 'file:./data/credential-keyring.json'.");
            PropertyRules.require(
                    !location.startsWith(EPHEMERAL) || location.equals(EPHEMERAL),
                    "credential.keyring.location",
                    location,
                    "Nothing may follow 'ephemeral:'.");
        }

        /** Returns whether the location contains the encoded keyring itself. */
        public boolean isInline() {
            return location.startsWith(INLINE);
        }

        /** Returns whether the keyring is created at startup and not stored. */
        public boolean isEphemeral() {
            return location.equals(EPHEMERAL);
        }

        /** Does not show an encoded keyring. */
        @Override
        public String toString() {
            return "Keyring[location=" + (isInline() ? INLINE + "***" : location) + ", create=" + create
                    + ", allowGroupRead=" + allowGroupRead + "]";
        }
    }

    /**
     * Configuration properties for access to sealed data.
     *
     * @param allowPlainMigration Tables whose data in the plain form can be read to reseal it.
     */
    public record Seal(@DefaultValue List<String> allowPlainMigration) {

        private static final String API_KEYS = "_credential_api_keys";
        private static final String ENDPOINTS = "_credential_webhook_endpoints";

        /** Rejects tables without sealed data: the name must be misspelled. */
        public Seal {
            allowPlainMigration = List.copyOf(allowPlainMigration);
            for (String table : allowPlainMigration) {
                PropertyRules.require(
                        table.equals(API_KEYS) || table.equals(ENDPOINTS),
                        "credential.seal.allow-plain-migration",
                        table,
                        "The tables that hold sealed data are '" + API_KEYS + "' and '" + ENDPOINTS + "'.");
            }
        }

        /** Returns whether API keys in the plain form can be resealed. */
        public boolean allowsPlainApiKeys() {
            return allowPlainMigration.contains(API_KEYS);
        }

        /** Returns whether secrets of endpoints in the plain form can be resealed. */
        public boolean allowsPlainEndpoints() {
            return allowPlainMigration.contains(ENDPOINTS);
        }
    }

    /**
     * Configuration properties for cluster mode.
     *
     * @param nodeId Name of this node in the database and in logs, up to 128 visible ASCII characters; by default the
     *     host name.
     * @param advertisedUrl URL of this node, given to callers of other nodes while this node is the leader.
     * @param leaseDuration How long a node remains leader without renewing its lease, 3 seconds to 5 minutes; also the
     *     longest statement or pause after a change of keys in your own transaction.
     * @param listenUrl JDBC URL on which notifications of other nodes are received, with the credentials of the DataSource
     *     unless it contains others; needed if a proxy pools transactions; by default the URL of the DataSource.
     */
    public record Cluster(
            @DefaultValue("") String nodeId,
            @DefaultValue("") String advertisedUrl,
            @DefaultValue("10s") Duration leaseDuration,
            @DefaultValue("") String listenUrl) {

        public Cluster {
            PropertyRules.require(
                    nodeId.chars().allMatch(c -> c > ' ' && c < 0x7f) && nodeId.length() <= 128,
                    "credential.cluster.node-id",
                    nodeId,
                    "It must have at most 128 visible ASCII characters and no spaces.");
            PropertyRules.require(
                    advertisedUrl.isEmpty() || isWebAddress(advertisedUrl),
                    "credential.cluster.advertised-url",
                    "***", // it may contain a password
                    "It must be an absolute http or https URL, for example 'https://node-1.example.org', without user"
                            + " information.");
            PropertyRules.require(
                    leaseDuration.compareTo(Duration.ofSeconds(3)) >= 0
                            && leaseDuration.compareTo(Duration.ofMinutes(5)) <= 0,
                    "credential.cluster.lease-duration",
                    leaseDuration,
                    "It must be 3 seconds to 5 minutes.");
            PropertyRules.require(
                    listenUrl.isEmpty() || listenUrl.startsWith("jdbc:"),
                    "credential.cluster.listen-url",
                    "***", // may contain a password
                    "It must be a JDBC URL, for example 'jdbc:postgresql://db.example.org:5432/shop'.");
        }

        /** Does not show the JDBC URL, which may contain a password. */
        @Override
        public String toString() {
            return "Cluster[nodeId=" + nodeId + ", advertisedUrl=" + advertisedUrl + ", leaseDuration=" + leaseDuration
                    + ", listenUrl=" + (listenUrl.isEmpty() ? "" : "***") + "]";
        }

        private static boolean isWebAddress(String text) {
            try {
                URI uri = new URI(text);
                return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                        && uri.getHost() != null
                        && uri.getRawUserInfo() == null;
            } catch (URISyntaxException e) {
                return false;
            }
        }
    }
}
