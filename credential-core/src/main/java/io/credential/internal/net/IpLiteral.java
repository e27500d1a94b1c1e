package io.credential.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses addresses in every notation that a resolver could understand. No text that looks like an address may reach a
 * resolver, because resolvers interpret it differently.
 */
public final class IpLiteral {

    private static final Pattern BRACKETED_IPV6 = Pattern.compile("\\[([0-9A-Fa-f:.]{2,45})](?::[0-9]{1,5})?");
    private static final Pattern IPV4_WITH_PORT = Pattern.compile("([0-9.]{7,15}):[0-9]{1,5}");

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_GROUPS = 8;
    private static final int MAX_HEX_DIGITS = 4;

    private IpLiteral() {}

    /**
     * Returns an address without a host name.
     *
     * @param bytes 4 or 16; an IPv4-mapped address becomes the IPv4 address
     * @throws IllegalArgumentException if there are more or fewer bytes
     */
    public static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("An address has 4 or 16 bytes, not " + bytes.length, e);
        }
    }

    /**
     * Returns whether the host can only be an IPv4 address: its last label is a number, which no top-level domain is.
     *
     * @param host without a trailing dot
     */
    public static boolean looksLikeIpv4(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1);
        return isDecimal(last) || last.startsWith("0x") || last.startsWith("0X");
    }

    /**
     * Parses one to four numbers, each decimal, octal (a leading 0) or hexadecimal (0x). The last one fills all
     * remaining bytes. This is how {@code inet_aton} of the C library parses them.
     */
    public static Optional<byte[]> parseIpv4(String host) {
        List<String> parts = List.of(host.split("\\.", -1));
        if (parts.size() > IPV4_BYTES) {
            return Optional.empty();
        }
        long value = 0;
        for (int i = 0; i < parts.size(); i++) {
            boolean last = i == parts.size() - 1;
            long limit = last ? 1L << (Byte.SIZE * (IPV4_BYTES - i)) : 1L << Byte.SIZE;
            long number = parseNumber(parts.get(i));
            if (number < 0 || number >= limit) {
                return Optional.empty();
            }
            value = last ? value | number : value | number << (Byte.SIZE * (IPV4_BYTES - 1 - i));
        }
        return Optional.of(new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value});
    }

    /**
     * Parses an address in the notation of standards: four decimal numbers without leading zeros, or IPv6 without brackets
     * or a zone.
     *
     * @return 4 or 16 bytes; empty if the text is neither
     */
    public static Optional<byte[]> parse(String text) {
        return text.indexOf(':') < 0 ? parseDottedDecimal(text) : parseIpv6(text);
    }

    /**
     * Parses the address of a client as servers and proxies write it: as {@link #parse}, but IPv6 also in brackets, and
     * either with a port, which is ignored.
     *
     * @return 4 or 16 bytes; empty if the text is neither
     */
    public static Optional<byte[]> parseClient(String text) {
        Matcher bracketed = BRACKETED_IPV6.matcher(text);
        if (bracketed.matches()) {
            return parseIpv6(bracketed.group(1));
        }
        Matcher withPort = IPV4_WITH_PORT.matcher(text);
        return withPort.matches() ? parseDottedDecimal(withPort.group(1)) : parse(text);
    }

    /** Parses four decimal numbers without leading zeros, and nothing else. */
    static Optional<byte[]> parseDottedDecimal(String text) {
        List<String> parts = List.of(text.split("\\.", -1));
        boolean plain = parts.size() == IPV4_BYTES
                && parts.stream().allMatch(part -> isDecimal(part) && (part.length() == 1 || part.charAt(0) != '0'));
        return plain ? parseIpv4(text) : Optional.empty();
    }

    /** Parses an IPv6 address without brackets or a zone. Its last 32 bits may be in dotted decimal. */
    public static Optional<byte[]> parseIpv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text).filter(bytes -> bytes.length == IPV6_BYTES);
        }
        if (text.indexOf("::", gap + 1) >= 0) {
            return Optional.empty();
        }
        String before = text.substring(0, gap);
        Optional<byte[]> head = before.indexOf('.') >= 0 ? Optional.empty() : sideOfGap(before);
        Optional<byte[]> tail = sideOfGap(text.substring(gap + 2));
        if (head.isEmpty() || tail.isEmpty()) {
            return Optional.empty();
        }
        byte[] left = head.get();
        byte[] right = tail.get();
        if (left.length + right.length > IPV6_BYTES - 2) {
            return Optional.empty();
        }
        byte[] address = new byte[IPV6_BYTES];
        System.arraycopy(left, 0, address, 0, left.length);
        System.arraycopy(right, 0, address, IPV6_BYTES - right.length, right.length);
        return Optional.of(address);
    }

    private static Optional<byte[]> sideOfGap(String text) {
        return text.isEmpty() ? Optional.of(new byte[0]) : groups(text);
    }

    private static Optional<byte[]> groups(String text) {
        List<String> parts = List.of(text.split(":", -1));
        if (parts.size() > IPV6_GROUPS) {
            return Optional.empty();
        }
        byte[] bytes = new byte[parts.size() * 2 + 2];
        int length = 0;
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            if (i == parts.size() - 1 && part.indexOf('.') >= 0) {
                Optional<byte[]> embedded = parseDottedDecimal(part);
                if (embedded.isEmpty()) {
                    return Optional.empty();
                }
                System.arraycopy(embedded.get(), 0, bytes, length, IPV4_BYTES);
                length += IPV4_BYTES;
            } else {
                if (part.isEmpty() || part.length() > MAX_HEX_DIGITS || !isDigits(part, 16)) {
                    return Optional.empty();
                }
                int group = Integer.parseInt(part, 16);
                bytes[length++] = (byte) (group >> Byte.SIZE);
                bytes[length++] = (byte) group;
            }
        }
        return Optional.of(Arrays.copyOf(bytes, length));
    }

    /** Returns the value, or -1 if the text is not a number or does not fit in an address. */
    private static long parseNumber(String text) {
        int radix = 10;
        String digits = text;
        if (text.startsWith("0x") || text.startsWith("0X")) {
            radix = 16;
            digits = text.substring(2);
            if (digits.isEmpty()) {
                return 0; // as parsers that accept hexadecimal read "0x"
            }
        } else if (text.length() > 1 && text.charAt(0) == '0') {
            radix = 8;
            digits = text.substring(1);
        }
        if (digits.isEmpty() || !isDigits(digits, radix)) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            value = value * radix + Character.digit(digits.charAt(i), radix);
            if (value > 0xffff_ffffL) {
                return -1;
            }
        }
        return value;
    }

    private static boolean isDecimal(String text) {
        return !text.isEmpty() && isDigits(text, 10);
    }

    private static boolean isDigits(String text, int radix) {
        return text.chars().allMatch(c -> c < 128 && Character.digit(c, radix) >= 0);
    }
}
