package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;

import org.jspecify.annotations.Nullable;

import io.credential.internal.net.IpLiteral;

/**
 * A URL parsed by strict rules. Unusual authorities are refused even if the JDK accepts them, because the resolver or
 * the receiver could interpret them differently.
 *
 * @param scheme in lower case
 * @param host the name without a trailing dot, or the address in canonical form
 * @param lookupName the name for the resolver; with a trailing dot, if the URL has one, search domains are not tried
 * @param literal the address, if the host is one
 */
record DestinationUrl(URI uri, String scheme, String host, String lookupName, int port, Optional<InetAddress> literal) {

    private static final int MAX_NAME = 253;
    private static final int MAX_PORT = 65535;
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})*");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /**
     * @throws UnsafeDestinationException if no webhook can be sent to the URL
     */
    static DestinationUrl parse(@Nullable URI uri) {
        if (uri == null) {
            throw UrlText.malformed("The URL is missing; write one like https://hooks.example.com/path");
        }
        UrlText.requireCharacters(uri.toString());
        String scheme = uri.getScheme();
        String authority = uri.getRawAuthority();
        if (scheme == null || uri.isOpaque() || authority == null) {
            throw UrlText.malformed("The URL has no host; write it like https://hooks.example.com/path");
        }
        if (authority.indexOf('@') >= 0) {
            throw UrlText.malformed(
                    "The URL has user information before its host; authenticate by the signature instead");
        }
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        String host = end <= 0 ? authority : authority.substring(0, end);
        String rest = authority.substring(host.length());
        String lowerCase = scheme.toLowerCase(Locale.ROOT);
        Host parsed = Host.parse(host.toLowerCase(Locale.ROOT));
        if (lowerCase.equals("https") && parsed.literal.isEmpty() && !isTlsName(parsed.text)) {
            throw UrlText.malformed(
                    "The host of the URL cannot be reached with https: each label of its name must consist"
                            + " of letters, digits and inner hyphens, without underscores");
        }
        return new DestinationUrl(
                uri, lowerCase, parsed.text, parsed.lookupName, port(rest, lowerCase), parsed.literal);
    }

    /** The JDK can neither send any other name in a handshake (RFC 6066, section 3) nor find it in a certificate. */
    private static boolean isTlsName(String name) {
        try {
            return new SNIHostName(name).getAsciiName().equalsIgnoreCase(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns host and port as written in the URL, for the {@code Host} header (RFC 9110, section 7.2). */
    String authority() {
        String authority = uri.getRawAuthority();
        return authority.endsWith(":") ? authority.substring(0, authority.length() - 1) : authority;
    }

    private static int port(String rest, String scheme) {
        if (rest.isEmpty() || rest.equals(":")) {
            return scheme.equals("https") ? 443 : 80;
        }
        String digits = rest.substring(1);
        int port = rest.charAt(0) == ':' && PORT.matcher(digits).matches() ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw UrlText.malformed("The port of the URL is not a number from 1 to " + MAX_PORT);
        }
        return port;
    }

    /** Without the path, which may hold a secret. */
    @Override
    public String toString() {
        return "DestinationUrl[" + scheme + "://" + host + ":" + port + "]";
    }

    private record Host(String text, String lookupName, Optional<InetAddress> literal) {

        static Host parse(String host) {
            if (host.startsWith("[")) {
                return bracketed(host);
            }
            String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
            if (name.isEmpty()
                    || name.length() > MAX_NAME
                    || !NAME.matcher(name).matches()) {
                throw UrlText.malformed("The host of the URL is neither a name nor an address");
            }
            if (IpLiteral.looksLikeIpv4(name)) {
                return literal(IpLiteral.parseIpv4(name), name);
            }
            return new Host(name, host, Optional.empty());
        }

        private static Host bracketed(String host) {
            if (!host.endsWith("]")) {
                throw UrlText.malformed(
                        "The host of the URL has an opening bracket, but does not end with a closing one");
            }
            if (host.indexOf('%') >= 0) {
                throw UrlText.malformed("The address in the URL has a zone, which is meaningless outside this machine");
            }
            return literal(IpLiteral.parseIpv6(host.substring(1, host.length() - 1)), host);
        }

        private static Host literal(Optional<byte[]> address, String given) {
            byte[] bytes = address.orElseThrow(() -> UrlText.malformed(
                    "The host " + given + " of the URL looks like an IP address, but is not a valid one"));
            InetAddress canonical = IpLiteral.address(bytes);
            String text = canonical.getHostAddress();
            return new Host(text, text, Optional.of(canonical));
        }
    }
}
