package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.credential.webhook.http.UnsafeDestinationException.Reason;

/**
 * Where webhooks may be sent. Whoever can enter a URL could otherwise make the application call its own network: the
 * database's console, the neighbour's administration page, the cloud's metadata service.
 *
 * <p>Without options only public unicast addresses pass. Every range of the IANA special-purpose registries is
 * forbidden, and so is all of IPv6 that is not allotted. An IPv4 address inside an IPv6 address is judged by itself:
 * NAT64 of a public address passes (hosts without IPv4 get it from DNS64), 6to4 and Teredo pass only where a range
 * allows both them and the address inside. One forbidden address in a DNS answer refuses the whole answer.
 *
 * <p>Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class DestinationPolicy {

    private static final Set<String> KNOWN_PROTOCOLS = Set.of("https", "http");

    private final Set<String> protocols;

    private final AddressRules rules;

    private DestinationPolicy(Builder builder) {
        this.protocols = Set.copyOf(builder.protocols);
        this.rules = new AddressRules(builder.allowedRanges, builder.allowInternal);
    }

    /** A policy with {@code https} and {@code http} to public addresses, until options say otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Checks what can be known without DNS: the form of the URL, its protocol, and its host if that is an address.
     *
     * @throws UnsafeDestinationException if the URL is refused; the refusal is {@link
     *     UnsafeDestinationException#permanent() permanent}
     */
    public void check(URI url) {
        parse(url);
    }

    /**
     * Checks the URL and resolves its host on the calling thread.
     *
     * @return the destination with its addresses
     * @throws UnsafeDestinationException if the URL, or what DNS says about its host, is refused
     */
    public VettedDestination vet(URI url, HostResolver resolver) {
        DestinationUrl parsed = parse(url);
        if (parsed.literal().isPresent()) {
            return vetLiteral(parsed);
        }
        try {
            return vetAnswer(parsed, resolver.resolve(parsed.lookupName()));
        } catch (UnknownHostException e) {
            throw noAnswer(parsed, e);
        }
    }

    /** The URL taken apart; its host, if it is an address, has been judged. */
    DestinationUrl parse(URI url) {
        DestinationUrl parsed = DestinationUrl.parse(url);
        if (!protocols.contains(parsed.scheme())) {
            throw new UnsafeDestinationException(
                    Reason.PROTOCOL,
                    "The protocol " + shortened(parsed.scheme()) + " is not allowed for webhooks, only "
                            + String.join(" and ", protocols.stream().sorted().toList()));
        }
        parsed.literal().ifPresent(address -> judgeLiteral(parsed, address));
        return parsed;
    }

    /** A destination whose host is an address that {@link #parse} has judged. */
    VettedDestination vetLiteral(DestinationUrl parsed) {
        return new VettedDestination(parsed, List.of(parsed.literal().orElseThrow()));
    }

    VettedDestination vetAnswer(DestinationUrl parsed, Collection<InetAddress> answer) {
        if (answer.isEmpty()) {
            throw new UnsafeDestinationException(
                    Reason.NO_ANSWER, "The host " + parsed.host() + " has no address in DNS");
        }
        Set<InetAddress> addresses = new LinkedHashSet<>();
        for (InetAddress answered : answer) {
            // A resolver may hand out an IPv4 address in an IPv6 one, or a scope; what is judged is what is connected
            // to.
            InetAddress address = Addresses.of(answered.getAddress());
            if (rules.objection(address.getAddress()).isPresent()) {
                throw new UnsafeDestinationException(
                        Reason.FORBIDDEN_ANSWER,
                        "The host " + parsed.host() + " resolves to an address that webhooks may not be sent to");
            }
            addresses.add(address);
        }
        return new VettedDestination(parsed, new ArrayList<>(addresses));
    }

    static UnsafeDestinationException noAnswer(DestinationUrl parsed, Throwable cause) {
        return new UnsafeDestinationException(
                Reason.NO_ANSWER, "The host " + parsed.host() + " could not be resolved", cause);
    }

    private void judgeLiteral(DestinationUrl parsed, InetAddress address) {
        Optional<String> objection = rules.objection(address.getAddress());
        if (objection.isPresent()) {
            throw new UnsafeDestinationException(
                    Reason.FORBIDDEN_ADDRESS,
                    "The host " + parsed.host() + " is an address that webhooks may not be sent to (" + objection.get()
                            + ")");
        }
    }

    private static String shortened(String scheme) {
        return scheme.length() <= 20 ? scheme : scheme.substring(0, 20) + "...";
    }

    /** Collects the options of a {@link DestinationPolicy}. Not thread-safe. */
    public static final class Builder {

        private final Set<String> protocols = new LinkedHashSet<>(KNOWN_PROTOCOLS);

        private final List<AddressRange> allowedRanges = new ArrayList<>();

        private boolean allowInternal;

        private Builder() {}

        /**
         * Allows these protocols and no others.
         *
         * @param allowed {@code https}, {@code http}, or both
         * @throws IllegalArgumentException if there is none, or another one
         */
        public Builder allowedProtocols(Collection<String> allowed) {
            if (allowed.isEmpty()) {
                throw new IllegalArgumentException("At least one protocol must be allowed: https, http, or both");
            }
            protocols.clear();
            for (String protocol : allowed) {
                String lowerCase = protocol.toLowerCase(Locale.ROOT);
                if (!KNOWN_PROTOCOLS.contains(lowerCase)) {
                    throw new IllegalArgumentException(
                            "\"" + protocol + "\" is no protocol for webhooks; use https, http, or both");
                }
                protocols.add(lowerCase);
            }
            return this;
        }

        /**
         * Allows addresses that would be forbidden, but never a metadata address.
         *
         * @param cidrs for example {@code 10.20.0.0/16} or {@code fd12:3456::/32}; an address alone stands for itself
         * @throws IllegalArgumentException if one cannot be read
         */
        public Builder allowedCidrs(Collection<String> cidrs) {
            List<AddressRange> ranges = cidrs.stream().map(AddressRange::parse).toList();
            allowedRanges.clear();
            allowedRanges.addAll(ranges);
            return this;
        }

        /** Allows every address but the metadata services of clouds. For tests and closed networks. */
        public Builder allowInternalDestinations(boolean allow) {
            this.allowInternal = allow;
            return this;
        }

        public DestinationPolicy build() {
            return new DestinationPolicy(this);
        }
    }
}
