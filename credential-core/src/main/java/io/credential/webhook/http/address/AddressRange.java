package io.credential.webhook.http.address;

import java.util.Arrays;
import java.util.Optional;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * The addresses that share a prefix, in IPv4 or in IPv6. An IPv4-mapped range is the IPv4 range that it stands for.
 * Immutable.
 *
 * @since 0.1.0
 */
public final class AddressRange {

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    private static final int MAPPED_PREFIX_BITS = MAPPED_PREFIX.length * Byte.SIZE;

    private final byte[] prefix;
    private final int bits;

    private AddressRange(byte[] prefix, int bits) {
        this.prefix = prefix;
        this.bits = bits;
    }

    /**
     * Reads {@code address/bits}, or an address that stands for itself alone. Bits of the address beyond the prefix do
     * not matter.
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
        if (isMapped(bytes) && bits >= MAPPED_PREFIX_BITS) {
            bytes = Arrays.copyOfRange(bytes, MAPPED_PREFIX_BITS / Byte.SIZE, bytes.length);
            bits -= MAPPED_PREFIX_BITS;
        }
        return new AddressRange(bytes, bits);
    }

    boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        if (!agree(address, prefix, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((address[whole] ^ prefix[whole]) & (0xff << (Byte.SIZE - rest))) == 0;
    }

    private static boolean isMapped(byte[] bytes) {
        return bytes.length > MAPPED_PREFIX.length && agree(bytes, MAPPED_PREFIX, MAPPED_PREFIX.length);
    }

    private static boolean agree(byte[] one, byte[] other, int length) {
        for (int i = 0; i < length; i++) {
            if (one[i] != other[i]) {
                return false;
            }
        }
        return true;
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
                "\"" + cidr + "\" is not a range of addresses; write it like 10.20.0.0/16 or fd12:3456::/32");
    }
}
