package io.credential.spring.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;

/**
 * Refuses keys and tickets that were sent over plain HTTP, and reports them, because others may have read them. A redirect would let
 * clients continue unnoticed. Requests from the same machine are exempt: no network carried them. Thread-safe.
 */
final class HttpsRequirement {

    private static final Pattern LOOPBACK_IPV4 =
            Pattern.compile("127(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");

    /** Whatever contains a colon and begins like this is an address for the JDK, and is not looked up. */
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:][0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final boolean required;
    private final RejectionReport report;

    HttpsRequirement(boolean required, RejectionReport report) {
        this.required = required;
        this.report = report;
    }

    /**
     * Checks how a key or ticket was sent, after it was verified: the report of a key that does not exist would mislead, and a
     * ticket is then used up.
     *
     * @throws PlainHttpException if it was sent over plain HTTP
     */
    void check(HttpServletRequest request, ApiKey key, boolean isTicket) {
        if (!required || request.isSecure() || isFromThisMachine(request.getRemoteAddr(), request.getLocalAddr())) {
            return;
        }
        if (isTicket) {
            report.ticketOverPlainHttp(key);
        } else {
            report.plainHttp(key);
        }
        throw new PlainHttpException(isTicket);
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
        return LOOPBACK_IPV4.matcher(literal).matches()
                || (IPV6.matcher(literal).matches() && isLoopbackIpv6(literal));
    }

    private static boolean isLoopbackIpv6(String literal) {
        try {
            return InetAddress.getByName(literal).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
