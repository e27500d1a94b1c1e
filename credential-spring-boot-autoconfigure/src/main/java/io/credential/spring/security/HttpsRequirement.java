package io.credential.spring.security;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;
import io.credential.audit.AuditTrail;
import io.credential.webhook.http.address.IpLiteral;

/**
 * Refuses keys that were sent over plain HTTP, and reports them, because others may have read them. A redirect would let
 * clients continue unnoticed. Requests from the same machine are exempt: no network carried them. Thread-safe.
 */
final class HttpsRequirement {

    private final boolean required;
    private final AuditTrail audit;
    private final Set<String> silentNamespaces;

    /** @param silentNamespaces the registries whose failures are not audited */
    HttpsRequirement(boolean required, AuditTrail audit, Set<String> silentNamespaces) {
        this.required = required;
        this.audit = audit;
        this.silentNamespaces = silentNamespaces;
    }

    /**
     * Checks how a key was sent, after it was verified: the report of a key that does not exist would mislead.
     *
     * @throws PlainHttpException if it was sent over plain HTTP
     */
    void check(HttpServletRequest request, ApiKey key) {
        if (!required || request.isSecure() || isFromThisMachine(request.getRemoteAddr(), request.getLocalAddr())) {
            return;
        }
        if (!silentNamespaces.contains(key.namespace())) {
            audit.rejection("apikey.authorize", "plain-http", key.id(), Map.of("namespace", key.namespace()));
        }
        throw new PlainHttpException();
    }

    /** @param local the address to which the request was sent */
    static boolean isFromThisMachine(@Nullable String client, @Nullable String local) {
        return (client != null && client.equals(local)) || isLoopback(client);
    }

    /** Anything but a literal address, with or without brackets, is not looked up. */
    static boolean isLoopback(@Nullable String address) {
        if (address == null) {
            return false;
        }
        String literal =
                address.startsWith("[") && address.endsWith("]") ? address.substring(1, address.length() - 1) : address;
        Optional<byte[]> bytes =
                literal.indexOf(':') >= 0 ? IpLiteral.parseIpv6(literal) : IpLiteral.parseIpv4(literal);
        return bytes.map(IpLiteral::address)
                .filter(InetAddress::isLoopbackAddress)
                .isPresent();
    }
}
