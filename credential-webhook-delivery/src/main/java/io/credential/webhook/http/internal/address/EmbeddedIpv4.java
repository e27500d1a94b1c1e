package io.credential.webhook.http.internal.address;

import java.util.List;

import io.credential.internal.net.AddressRange;

/** The IPv4 addresses that are embedded in an IPv6 address. A packet sent to it could arrive at any of them. */
final class EmbeddedIpv4 {

    private static final int LAST_FOUR = 12;
    private static final int INTERFACE_ID = 8;

    private static final List<AddressRange> IN_THE_LAST_FOUR_BYTES = List.of(
            AddressRange.of("::/96"), // IPv4-compatible
            AddressRange.of("::ffff:0:0:0/96"), // IPv4-translated
            AddressRange.of("64:ff9b::/96")); // NAT64

    /** In ::/96, but not IPv4-compatible. */
    private static final AddressRange LOOPBACK = AddressRange.of("::1");

    private static final AddressRange NAT64_LOCAL = AddressRange.of("64:ff9b:1::/48");
    private static final AddressRange TEREDO = AddressRange.of("2001::/32");
    private static final AddressRange SIX_TO_FOUR = AddressRange.of("2002::/16");

    private EmbeddedIpv4() {}

    /**
     * Returns every IPv4 address that could be embedded, none for an IPv4 address. IPv4-mapped addresses do not occur:
     * {@link AddressRules} converts them first.
     */
    static List<byte[]> in(byte[] address) {
        if (address.length != 16 || LOOPBACK.contains(address)) {
            return List.of();
        }
        if (IN_THE_LAST_FOUR_BYTES.stream().anyMatch(range -> range.contains(address))) {
            return List.of(four(address, LAST_FOUR));
        }
        if (SIX_TO_FOUR.contains(address)) {
            return List.of(four(address, 2));
        }
        if (TEREDO.contains(address)) {
            return List.of(four(address, 4), inverted(four(address, LAST_FOUR)));
        }
        if (NAT64_LOCAL.contains(address)) {
            return nat64Readings(address);
        }
        return isIsatap(address) ? List.of(four(address, LAST_FOUR)) : List.of();
    }

    /**
     * The address does not show which prefix length the network's translator uses (RFC 6052), so all layouts are
     * considered. All skip byte 8. A result that starts with a zero byte is padding.
     */
    private static List<byte[]> nat64Readings(byte[] address) {
        return List.of(
                        pick(address, 6, 7, 9, 10),
                        pick(address, 7, 9, 10, 11),
                        pick(address, 9, 10, 11, 12),
                        four(address, LAST_FOUR))
                .stream()
                .filter(embedded -> embedded[0] != 0)
                .toList();
    }

    private static boolean isIsatap(byte[] address) {
        return (address[INTERFACE_ID] & ~2) == 0
                && address[INTERFACE_ID + 1] == 0
                && address[INTERFACE_ID + 2] == 0x5e
                && address[INTERFACE_ID + 3] == (byte) 0xfe;
    }

    private static byte[] inverted(byte[] address) {
        byte[] result = new byte[address.length];
        for (int i = 0; i < address.length; i++) {
            result[i] = (byte) ~address[i];
        }
        return result;
    }

    private static byte[] four(byte[] address, int from) {
        return pick(address, from, from + 1, from + 2, from + 3);
    }

    private static byte[] pick(byte[] address, int a, int b, int c, int d) {
        return new byte[] {address[a], address[b], address[c], address[d]};
    }
}
