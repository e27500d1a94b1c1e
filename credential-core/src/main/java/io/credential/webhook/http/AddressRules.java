package io.credential.webhook.http;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides on one address. Immutable. */
final class AddressRules {

    private final List<AddressRange> allowed;

    private final boolean allowInternal;

    private final HostAddresses ownAddresses;

    AddressRules(List<AddressRange> allowed, boolean allowInternal, HostAddresses ownAddresses) {
        this.allowed = List.copyOf(allowed);
        this.allowInternal = allowInternal;
        this.ownAddresses = ownAddresses;
    }

    /**
     * What stands against the address, empty if nothing does. An IPv4 address inside it must be acceptable too.
     *
     * @throws java.io.UncheckedIOException if the addresses of this host are needed and cannot be read
     */
    Optional<String> objection(byte[] address) {
        if (MetadataAddress.is(address)) {
            return Optional.of("the metadata service of a cloud, which no setting opens");
        }
        if (allowInternal) {
            return Optional.empty();
        }
        return Stream.concat(Stream.of(address), EmbeddedIpv4.in(address).stream())
                .filter(candidate -> allowed.stream().noneMatch(range -> range.contains(candidate)))
                .map(this::describe)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> describe(byte[] address) {
        return ForbiddenRange.describe(address)
                .or(() -> ownAddresses.contains(address) ? Optional.of("an address of this host") : Optional.empty());
    }
}
