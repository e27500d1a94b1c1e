package io.credential.apikey;

import java.io.Serializable;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;
import io.credential.internal.net.IpLiteral;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;

/**
 * Describes an API key, without its secret or hashes. Serializable, because it is the principal of an authentication,
 * which applications keep in sessions and messages.
 *
 * @param id the key's id, part of its token but not secret
 * @param namespace the registry's namespace
 * @param prefix the prefix of its token
 * @param ownerId the owner of the key
 * @param name the name of the key; null if it has none
 * @param scopes what the key may do
 * @param metadata the metadata stored with it, in plain JSON types
 * @param createdAt when it was issued
 * @param createdBy who issued it: the actor of the audit event, up to 255 characters; null if unknown
 * @param expiresAt when it stops verifying; null for never
 * @param disabledAt when it was disabled; null if it is not
 * @param revokedAt when it was revoked; null if it was not
 * @param lastUsedAt when it last verified, as far as this node knows; null for never
 * @param secondaryExpiresAt when the secret before the last graceful rotation stops being accepted; null if there is
 *     none
 * @param rateLimit the key's own rate limit; null if that of its registry applies
 * @param quota the key's own quota; null if that of its registry applies
 * @param allowedNetworks the networks that may use the key, in CIDR notation, such as {@code 192.0.2.0/24}; empty if all
 *     may
 * @param imported whether the key was imported: its tokens have the form of the system that issued them
 * @param usedSecondary whether the token that was just verified contains that old secret; false for a key that was
 *     obtained otherwise
 * @since 0.1.0
 */
public record ApiKey(
        String id,
        String namespace,
        String prefix,
        String ownerId,
        @Nullable String name,
        List<String> scopes,
        Map<String, Object> metadata,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant disabledAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant secondaryExpiresAt,
        @Nullable RateLimit rateLimit,
        @Nullable Quota quota,
        List<String> allowedNetworks,
        boolean imported,
        boolean usedSecondary)
        implements Serializable {

    public ApiKey {
        scopes = List.copyOf(scopes);
        allowedNetworks = List.copyOf(allowedNetworks);
    }

    /**
     * Returns whether a client with this address may use the key: the key allows all networks, or one that contains the
     * address. {@code ApiKeyRegistry.verify} does not check this; Spring Security refuses such requests.
     *
     * @param client an IPv4-mapped address counts as the IPv4 address; one with a zone, such as {@code fe80::1%eth0}, is in
     *     no network
     */
    public boolean allows(InetAddress client) {
        return allowedNetworks.isEmpty()
                || (!hasZone(client) && KeyRules.contain(allowedNetworks, client.getAddress()));
    }

    /**
     * Returns whether a client with this address may use the key, as {@link #allows(InetAddress)} does. Never looks a name
     * up.
     *
     * @param client the address as {@code ServletRequest.getRemoteAddr()} returns it, also with brackets or a port; what is
     *     not an IP address, and null, is in no network
     */
    public boolean allowsAddress(@Nullable String client) {
        return allowedNetworks.isEmpty()
                || (client != null
                        && IpLiteral.parseClient(client)
                                .filter(address -> KeyRules.contain(allowedNetworks, address))
                                .isPresent());
    }

    private static boolean hasZone(InetAddress client) {
        return client instanceof Inet6Address address
                && (address.getScopeId() != 0 || address.getScopedInterface() != null);
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "ApiKey[id=" + id + ", namespace=" + namespace + "]";
    }
}
