package io.credential.webhook.http.internal.address;

import java.util.List;
import java.util.Optional;

import io.credential.internal.net.AddressRange;

/**
 * The ranges of the IANA special-purpose registries for IPv4 and IPv6, and all others that are not public unicast. They
 * include ranges that the registries call globally reachable: these are anycast services of the network itself, which
 * do not receive webhooks.
 */
record ForbiddenRange(AddressRange range, String description) {

    private static final List<ForbiddenRange> ALL = List.of(
            of("0.0.0.0/8", "this network"),
            of("10.0.0.0/8", "private use"),
            of("100.64.0.0/10", "shared address space of carriers"),
            of("127.0.0.0/8", "loopback"),
            of("169.254.0.0/16", "link-local"),
            of("172.16.0.0/12", "private use"),
            of("192.0.0.0/24", "IETF protocol assignments"),
            of("192.0.2.0/24", "documentation"),
            of("192.31.196.0/24", "AS112"),
            of("192.52.193.0/24", "automatic multicast tunnelling"),
            of("192.88.99.0/24", "6to4 relays"),
            of("192.168.0.0/16", "private use"),
            of("192.175.48.0/24", "AS112"),
            of("198.18.0.0/15", "benchmarking"),
            of("198.51.100.0/24", "documentation"),
            of("203.0.113.0/24", "documentation"),
            of("224.0.0.0/4", "multicast"),
            of("255.255.255.255/32", "broadcast"),
            of("240.0.0.0/4", "reserved"),
            of("::/128", "unspecified"),
            of("::1/128", "loopback"),
            of("::/96", "IPv4-compatible"),
            of("64:ff9b:1::/48", "NAT64 for local use"),
            of("100::/64", "discard only"),
            of("100:0:0:1::/64", "dummy prefix"),
            of("2001::/32", "Teredo"),
            of("2001:2::/48", "benchmarking"),
            of("2001:3::/32", "automatic multicast tunnelling"),
            of("2001:4:112::/48", "AS112"),
            of("2001:10::/28", "ORCHID"),
            of("2001:20::/28", "ORCHIDv2"),
            of("2001:30::/28", "drone remote identification"),
            of("2001::/23", "IETF protocol assignments"),
            of("2001:db8::/32", "documentation"),
            of("2002::/16", "6to4"),
            of("2620:4f:8000::/48", "AS112"),
            of("3fff::/20", "documentation"),
            of("5f00::/16", "segment routing"),
            of("fc00::/7", "unique local"),
            of("fe80::/10", "link-local"),
            of("fec0::/10", "site-local"),
            of("ff00::/8", "multicast"));

    /** The range that IANA allocates as global unicast. The rest of IPv6 is reserved. */
    private static final AddressRange GLOBAL_UNICAST = AddressRange.of("2000::/3");

    /** Represents the embedded IPv4 address, which is checked instead. */
    private static final AddressRange NAT64 = AddressRange.of("64:ff9b::/96");

    private static final ForbiddenRange NOT_GLOBAL_UNICAST = of("::/0", "not global unicast");

    private static ForbiddenRange of(String cidr, String use) {
        return new ForbiddenRange(AddressRange.of(cidr), use + ", " + cidr);
    }

    /** Returns what the address is reserved for, empty if it is public unicast. */
    static Optional<String> describe(byte[] address) {
        Optional<ForbiddenRange> special = ALL.stream()
                .filter(candidate -> candidate.range.contains(address))
                .findFirst();
        return special.or(() -> Optional.of(NOT_GLOBAL_UNICAST)
                        .filter(rest -> rest.range.contains(address)
                                && !GLOBAL_UNICAST.contains(address)
                                && !NAT64.contains(address)))
                .map(ForbiddenRange::description);
    }
}
