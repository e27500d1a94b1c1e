package io.credential.webhook.http.address;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides whether webhooks may be sent to an IP address. Immutable.
 *
 * @since 0.1.0
 */
public final class AddressRules {

    private final List<AddressRange> allowed;
    private final boolean allowInternal;
    private final Predicate<byte[]> isOwn;

    /**
     * @param allowed what is acceptable although it is not public
     * @param allowInternal whether every address but those of metadata services is acceptable
     * @param isOwn whether an address belongs to this host; called only if no other rule forbids the address
     */
    public AddressRules(List<AddressRange> allowed, boolean allowInternal, Predicate<byte[]> isOwn) {
        this.allowed = List.copyOf(allowed);
        this.allowInternal = allowInternal;
        this.isOwn = isOwn;
    }

    /**
     * Returns why the address is forbidden, or empty if it is allowed. Embedded IPv4 addresses are checked too.
     *
     * @param address 4 bytes or 16, as {@link IpLiteral#address} leaves them
     */
    public Optional<String> objection(byte[] address) {
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
                .or(() -> isOwn.test(address) ? Optional.of("an address of this host") : Optional.empty());
    }
}
