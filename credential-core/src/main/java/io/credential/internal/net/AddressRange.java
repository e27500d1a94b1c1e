package io.credential.internal.net;

import java.util.Arrays;
import java.util.Optional;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

/**
 * The IPv4 or IPv6 addresses that share a prefix. An IPv4-mapped range is the IPv4 range that it represents. Immutable.
 */
public final class AddressRange {

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_GROUPS = 8;

    /** Longer than every range in CIDR notation. */
    private static final int MAX_LENGTH = 64;

    private final byte[] prefix;
    private final int bits;
    private final boolean addressBeyondPrefix;

    private AddressRange(byte[] address, int bits) {
        this.prefix = masked(address, bits);
        this.bits = bits;
        this.addressBeyondPrefix = !Arrays.equals(prefix, address);
    }

    /**
     * Parses {@code address/bits}, or a single address. Bits of the address beyond the prefix are cleared.
     *
     * @return the range; empty if the text is neither
     */
    public static Optional<AddressRange> parse(String cidr) {
        if (cidr.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int slash = cidr.indexOf('/');
        Optional<byte[]> address = IpLiteral.parse(slash < 0 ? cidr : cidr.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        int width = address.get().length * Byte.SIZE;
        return slash < 0
                ? Optional.of(range(address.get(), width))
                : parseBits(cidr.substring(slash + 1), width).map(bits -> range(address.get(), bits));
    }

    /**
     * Parses a range as {@link #parse} does.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static AddressRange of(String cidr) {
        return parse(cidr)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + cidr + "\" is not an address range; write it like 10.20.0.0/16 or fd12:3456::/32"));
    }

    private static AddressRange range(byte[] address, int bits) {
        int mapped = MAPPED_PREFIX.length * Byte.SIZE;
        return address.length > IPV4_BYTES && bits >= mapped && startsWith(address, MAPPED_PREFIX, MAPPED_PREFIX.length)
                ? new AddressRange(Arrays.copyOfRange(address, MAPPED_PREFIX.length, address.length), bits - mapped)
                : new AddressRange(address, bits);
    }

    /** @param address 4 or 16 bytes; an IPv4-mapped one is in no IPv4 range */
    public boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        int rest = bits % Byte.SIZE;
        return startsWith(address, prefix, whole)
                && (rest == 0 || ((address[whole] ^ prefix[whole]) & (0xff << (Byte.SIZE - rest))) == 0);
    }

    /** Returns whether the address in the text had bits beyond the prefix, as in {@code 192.0.2.7/24}. */
    public boolean hadBitsBeyondPrefix() {
        return addressBeyondPrefix;
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] masked = address.clone();
        int whole = bits / Byte.SIZE;
        int rest = bits % Byte.SIZE;
        if (rest != 0) {
            masked[whole++] &= (byte) (0xff << (Byte.SIZE - rest));
        }
        Arrays.fill(masked, whole, masked.length, (byte) 0);
        return masked;
    }

    private static boolean startsWith(byte[] address, byte[] prefix, int length) {
        return Arrays.equals(address, 0, length, prefix, 0, length);
    }

    private static Optional<Integer> parseBits(String text, int width) {
        boolean number = !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Integer.parseInt(text)).filter(bits -> bits <= width) : Optional.empty();
    }

    /** Returns the range in CIDR notation, the same text for the same range; IPv6 as in RFC 5952. */
    @Override
    public String toString() {
        return (prefix.length == IPV4_BYTES ? ipv4() : ipv6()) + "/" + bits;
    }

    private String ipv4() {
        StringJoiner text = new StringJoiner(".");
        for (byte part : prefix) {
            text.add(String.valueOf(part & 0xff));
        }
        return text.toString();
    }

    private String ipv6() {
        int[] groups = new int[IPV6_GROUPS];
        for (int i = 0; i < IPV6_GROUPS; i++) {
            groups[i] = (prefix[2 * i] & 0xff) << Byte.SIZE | (prefix[2 * i + 1] & 0xff);
        }
        int start = 0;
        int length = 1; // a single zero group is not shortened
        for (int i = 0; i < IPV6_GROUPS; i++) {
            int end = i;
            while (end < IPV6_GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        return length == 1
                ? hex(groups, 0, IPV6_GROUPS)
                : hex(groups, 0, start) + "::" + hex(groups, start + length, IPV6_GROUPS);
    }

    private static String hex(int[] groups, int from, int to) {
        StringJoiner text = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            text.add(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AddressRange range && bits == range.bits && Arrays.equals(prefix, range.prefix);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(prefix) * 31 + bits;
    }
}
