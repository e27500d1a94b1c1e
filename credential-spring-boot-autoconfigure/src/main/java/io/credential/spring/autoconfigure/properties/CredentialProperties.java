package io.credential.spring.autoconfigure.properties;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.auditlog.OverflowPolicy;
import io.credential.storage.SchemaMode;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * Configuration properties under {@code credential}. Startup fails on unknown properties, except for environment
 * variables and system properties, which other programs share. Immutable.
 *
 * @param mode Mode of operation: 'single' for one node, 'cluster' for several nodes that share one PostgreSQL database.
 * @param storage the database
 * @param keyring the keyring
 * @param seal access to sealed data
 * @param cluster cluster mode
 * @param audit audit events
 * @param apiKeys API keys
 * @param webhook webhooks
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "credential", ignoreUnknownFields = false)
public record CredentialProperties(
        @DefaultValue("single") Mode mode,
        @DefaultValue Storage storage,
        @DefaultValue Keyring keyring,
        @DefaultValue Seal seal,
        @DefaultValue Cluster cluster,
        @DefaultValue Audit audit,
        @DefaultValue @NestedConfigurationProperty ApiKeysProperties apiKeys,
        @DefaultValue @NestedConfigurationProperty WebhookProperties webhook) {

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
        PropertyRules.require(
                mode == Mode.SINGLE || apiKeys.rateLimits().store() != ApiKeysProperties.RateLimitStore.MEMORY,
                "credential.api-keys.rate-limits.store",
                "memory",
                "In cluster mode, every node would permit the full limit. Use 'jdbc' or 'redis'.");
        webhook.inbound()
                .forEach((name, inbound) -> PropertyRules.require(
                        mode == Mode.SINGLE || inbound.nonceStore() != WebhookProperties.NonceStoreKind.MEMORY,
                        "credential.webhook.inbound." + name + ".nonce-store",
                        "memory",
                        "In cluster mode, a node would accept what another has already accepted."
                                + " Use 'jdbc' or 'redis'."));
    }

    /** Returns whether a missing keyring is created: as configured, by default only in single mode. */
    public boolean createKeyring() {
        return keyring.create != null ? keyring.create : mode == Mode.SINGLE;
    }

    /** Returns where requests are counted: as configured, by default in memory only in single mode. */
    public ApiKeysProperties.RateLimitStore rateLimitStore() {
        ApiKeysProperties.RateLimitStore store = apiKeys.rateLimits().store();
        if (store != null) {
            return store;
        }
        return mode == Mode.SINGLE ? ApiKeysProperties.RateLimitStore.MEMORY : ApiKeysProperties.RateLimitStore.JDBC;
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
        private static final String ENDPOINTS = DispatcherTables.LOGICAL_ENDPOINTS;

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
     * Configuration properties of audit events.
     *
     * @param jdbc the audit log in the database
     */
    public record Audit(@DefaultValue Jdbc jdbc) {

        /**
         * Configuration properties of the audit log in the database.
         *
         * @param enabled Whether to append audit events to a table in which changes are detected.
         * @param onOverflow What happens to an event while 10,000 events wait for the database: with 'wait' the caller
         *     waits for up to a second, with 'drop' it does not. Events that are lost are counted.
         * @param recordVerifications Whether to append successful verifications of API keys and webhooks, one for each
         *     request.
         */
        public record Jdbc(
                @DefaultValue("false") boolean enabled,
                @DefaultValue("wait") OverflowPolicy onOverflow,
                @DefaultValue("false") boolean recordVerifications) {}
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
