package io.credential.webhook.http.internal.address;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.credential.internal.net.AddressRange;
import io.credential.internal.net.IpLiteral;

/** Decides whether webhooks may be sent to an IP address. Immutable. */
public final class AddressRules {

    private final List<AddressRange> allowed;
    private final boolean allowInternal;
    private final Predicate<byte[]> isOwn;

    /**
     * @param allowed ranges that are allowed although they are not public
     * @param allowInternal whether every address except metadata services is allowed
     * @param isOwn whether an address belongs to this host; called only if no other rule forbids the address
     */
    public AddressRules(List<AddressRange> allowed, boolean allowInternal, Predicate<byte[]> isOwn) {
        this.allowed = List.copyOf(allowed);
        this.allowInternal = allowInternal;
        this.isOwn = isOwn;
    }

    /**
     * Returns why the address is forbidden, or empty if it is allowed. IPv4-mapped addresses are treated as the IPv4
     * address; other embedded IPv4 addresses are checked too.
     *
     * @param bytes 4 or 16
     */
    public Optional<String> objection(byte[] bytes) {
        byte[] address = IpLiteral.address(bytes).getAddress();
        List<byte[]> candidates = Stream.concat(Stream.of(address), EmbeddedIpv4.in(address).stream())
                .toList();
        if (candidates.stream().anyMatch(MetadataAddress::is)) {
            return Optional.of("the metadata service of a cloud, which no setting allows");
        }
        if (allowInternal) {
            return Optional.empty();
        }
        return candidates.stream()
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
