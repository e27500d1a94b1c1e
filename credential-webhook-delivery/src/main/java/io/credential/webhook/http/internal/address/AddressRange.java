package io.credential.webhook.http.internal.address;

import java.util.Arrays;
import java.util.Optional;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * The IPv4 or IPv6 addresses that share a prefix. An IPv4-mapped range is the IPv4 range that it represents. Immutable.
 */
public final class AddressRange {

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final byte[] prefix;
    private final int bits;

    private AddressRange(byte[] prefix, int bits) {
        this.prefix = prefix;
        this.bits = bits;
    }

    /**
     * Parses {@code address/bits}, or a single address. Bits of the address beyond the prefix are ignored.
     *
     * @throws WebhookException {@code webhook/bad-opt} if the text is neither
     */
    public static AddressRange parse(String cidr) {
        int slash = cidr.indexOf('/');
        String address = slash < 0 ? cidr : cidr.substring(0, slash);
        byte[] bytes = parseAddress(address).orElseThrow(() -> notARange(cidr));
        int width = bytes.length * Byte.SIZE;
        int bits =
                slash < 0 ? width : parseBits(cidr.substring(slash + 1), width).orElseThrow(() -> notARange(cidr));
        int mapped = MAPPED_PREFIX.length * Byte.SIZE;
        if (bits >= mapped && startsWith(bytes, MAPPED_PREFIX, MAPPED_PREFIX.length)) {
            bytes = Arrays.copyOfRange(bytes, MAPPED_PREFIX.length, bytes.length);
            bits -= mapped;
        }
        return new AddressRange(bytes, bits);
    }

    boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        int rest = bits % Byte.SIZE;
        return startsWith(address, prefix, whole)
                && (rest == 0 || ((address[whole] ^ prefix[whole]) & (0xff << (Byte.SIZE - rest))) == 0);
    }

    private static boolean startsWith(byte[] address, byte[] prefix, int length) {
        return Arrays.equals(address, 0, length, prefix, 0, length);
    }

    private static Optional<byte[]> parseAddress(String text) {
        return text.indexOf(':') < 0 ? IpLiteral.parseDottedDecimal(text) : IpLiteral.parseIpv6(text);
    }

    private static Optional<Integer> parseBits(String text, int width) {
        boolean number = !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Integer.parseInt(text)).filter(bits -> bits <= width) : Optional.empty();
    }

    private static WebhookException notARange(String cidr) {
        return new WebhookException(
                WebhookErrorCode.BAD_OPT,
                "\"" + cidr + "\" is not an address range; write it like 10.20.0.0/16 or fd12:3456::/32");
    }
}
