package io.credential.webhook.http;

import java.io.UncheckedIOException;
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

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.internal.net.AddressRange;
import io.credential.internal.net.IpLiteral;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.UnsafeDestinationException.Reason;
import io.credential.webhook.http.internal.address.AddressRules;
import io.credential.webhook.internal.WebhookOptions;

/**
 * Decides where webhooks may be sent. Otherwise a user who can enter a URL could make the application call its own
 * network, for example an administration page or the metadata service of the cloud.
 *
 * <p>Without options only public unicast addresses pass. Every range of the IANA special-purpose registries is
 * forbidden, and so are unallocated IPv6 addresses. An IPv4 address inside an IPv6 address is checked separately: NAT64
 * of a public address passes (hosts without IPv4 get it from DNS64). A 6to4 or Teredo address passes only if it is in
 * an allowed range and every embedded address is public or in an allowed range. The addresses of this host's own
 * network interfaces are forbidden, public or not. A DNS answer with a forbidden address is refused as a whole.
 *
 * <p>The reason for a refusal is logged at DEBUG; the message of the exception does not contain it.
 *
 * <p>Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class DestinationPolicy {

    private static final Logger LOG = LoggerFactory.getLogger(DestinationPolicy.class);
    private static final Set<String> KNOWN_PROTOCOLS = Set.of("https", "http");

    private final Set<String> protocols;
    private final AddressRules rules;
    private final boolean allowInternal;

    private DestinationPolicy(Builder builder) {
        this.protocols = Set.copyOf(builder.protocols);
        this.allowInternal = builder.allowInternal;
        this.rules = new AddressRules(builder.allowedRanges, builder.allowInternal, builder.ownAddresses::contains);
    }

    /** Returns a builder; by default, {@code https} and {@code http} to public addresses are allowed. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Checks everything that does not need DNS: the form of the URL, its protocol, and its host if that is an address.
     *
     * @throws UnsafeDestinationException if the URL is refused; the refusal is {@link
     *     UnsafeDestinationException#permanent() permanent}
     */
    public void check(@Nullable URI url) {
        parse(url);
    }

    /**
     * Checks the URL and resolves its host on the calling thread.
     *
     * @return the destination with its addresses
     * @throws UnsafeDestinationException if the URL, or an address of its host, is refused
     * @throws WebhookException {@code webhook/bad-opt} if the resolver is null
     */
    public VettedDestination vet(@Nullable URI url, HostResolver resolver) {
        WebhookOptions.required(resolver, "resolver");
        DestinationUrl parsed = parse(url);
        if (parsed.literal().isPresent()) {
            return vetLiteral(parsed);
        }
        try {
            return vetAnswer(parsed, resolver.resolve(parsed.lookupName()));
        } catch (UnknownHostException e) {
            throw noAnswer(parsed, "could not be resolved", e);
        }
    }

    /** Parses the URL, and checks its host if it is an address. */
    DestinationUrl parse(@Nullable URI url) {
        DestinationUrl parsed = DestinationUrl.parse(url);
        if (!protocols.contains(parsed.scheme())) {
            throw new UnsafeDestinationException(
                    Reason.PROTOCOL,
                    "The protocol " + shortened(parsed.scheme()) + " is not allowed for webhooks, only "
                            + String.join(" and ", protocols.stream().sorted().toList()));
        }
        parsed.literal().ifPresent(address -> check(parsed, address, Reason.FORBIDDEN_ADDRESS));
        return parsed;
    }

    /** Returns a destination whose host is an address that {@link #parse} has checked. */
    VettedDestination vetLiteral(DestinationUrl parsed) {
        return new VettedDestination(parsed, List.of(parsed.literal().orElseThrow()));
    }

    VettedDestination vetAnswer(DestinationUrl parsed, Collection<InetAddress> answer) {
        if (answer.isEmpty()) {
            throw noAnswer(parsed, "has no address in DNS", null);
        }
        Set<InetAddress> addresses = new LinkedHashSet<>();
        for (InetAddress answered : answer) {
            // A resolver may return an IPv4-mapped address, or one with a scope. The transport must connect to the
            // address that is checked here.
            InetAddress address = IpLiteral.address(answered.getAddress());
            check(parsed, address, Reason.FORBIDDEN_ANSWER);
            addresses.add(address);
        }
        return new VettedDestination(parsed, new ArrayList<>(addresses));
    }

    /**
     * Returns a refusal of a host that was not resolved. Unless internal destinations are allowed, nothing
     * distinguishes it from a host with a forbidden address: the difference would tell which internal names exist.
     *
     * @param what completes the sentence that starts with the host, in the log
     */
    UnsafeDestinationException noAnswer(DestinationUrl parsed, String what, @Nullable Throwable cause) {
        if (!allowInternal) {
            return refusal(Reason.NO_ANSWER, parsed, what, cause);
        }
        String detail = detail(parsed, what, cause);
        return UnsafeDestinationException.unresolvable(parsed.host(), detail, cause);
    }

    private void check(DestinationUrl parsed, InetAddress address, Reason reason) {
        Optional<String> objection;
        try {
            objection = rules.objection(address.getAddress());
        } catch (UncheckedIOException e) {
            throw noAnswer(parsed, "cannot be checked: " + e.getMessage(), e);
        }
        if (objection.isPresent()) {
            throw refusal(reason, parsed, "is " + address.getHostAddress() + " (" + objection.get() + ")", null);
        }
    }

    private static UnsafeDestinationException refusal(
            Reason reason, DestinationUrl parsed, String what, @Nullable Throwable cause) {
        return new UnsafeDestinationException(reason, parsed.host(), detail(parsed, what, cause), cause);
    }

    private static String detail(DestinationUrl parsed, String what, @Nullable Throwable cause) {
        String detail = "The host " + parsed.host() + " " + what;
        LOG.debug("Refused a webhook destination: {}", detail, cause);
        return detail;
    }

    private static String shortened(String scheme) {
        return scheme.length() <= 20 ? scheme : scheme.substring(0, 20) + "...";
    }

    /** Collects the options of a {@link DestinationPolicy}. Not thread-safe. */
    public static final class Builder {

        private final Set<String> protocols = new LinkedHashSet<>(KNOWN_PROTOCOLS);
        private final List<AddressRange> allowedRanges = new ArrayList<>();
        private boolean allowInternal;
        private HostAddresses ownAddresses = HostAddresses.system();

        private Builder() {}

        /**
         * Allows these protocols and no others.
         *
         * @param allowed {@code https}, {@code http}, or both
         * @throws WebhookException {@code webhook/bad-opt} if the collection is empty or has an unknown protocol
         */
        public Builder allowedProtocols(Collection<String> allowed) {
            Set<String> chosen = new LinkedHashSet<>();
            for (String protocol : WebhookOptions.required(allowed, "allowedProtocols")) {
                String lowerCase =
                        WebhookOptions.required(protocol, "a protocol").toLowerCase(Locale.ROOT);
                if (!KNOWN_PROTOCOLS.contains(lowerCase)) {
                    throw new WebhookException(
                            WebhookErrorCode.BAD_OPT,
                            "\"" + protocol + "\" is not a protocol for webhooks; use https, http, or both");
                }
                chosen.add(lowerCase);
            }
            if (chosen.isEmpty()) {
                throw new WebhookException(
                        WebhookErrorCode.BAD_OPT, "At least one protocol must be allowed: https, http, or both");
            }
            protocols.clear();
            protocols.addAll(chosen);
            return this;
        }

        /**
         * Allows addresses that would otherwise be forbidden, but never a metadata address.
         *
         * @param cidrs for example {@code 10.20.0.0/16} or {@code fd12:3456::/32}, or single addresses
         * @throws WebhookException {@code webhook/bad-opt} if one is malformed
         */
        public Builder allowedCidrs(Collection<String> cidrs) {
            List<AddressRange> ranges = WebhookOptions.required(cidrs, "allowedCidrs").stream()
                    .map(cidr -> range(WebhookOptions.required(cidr, "an address range")))
                    .toList();
            allowedRanges.clear();
            allowedRanges.addAll(ranges);
            return this;
        }

        private static AddressRange range(String cidr) {
            try {
                return AddressRange.of(cidr);
            } catch (IllegalArgumentException e) {
                throw new WebhookException(WebhookErrorCode.BAD_OPT, String.valueOf(e.getMessage()), e);
            }
        }

        /** Allows every address except the metadata services of clouds. For tests and closed networks. */
        public Builder allowInternalDestinations(boolean allow) {
            this.allowInternal = allow;
            return this;
        }

        /** Replaces this host's own addresses as reported by the operating system. */
        Builder ownAddresses(HostAddresses addresses) {
            this.ownAddresses = addresses;
            return this;
        }

        public DestinationPolicy build() {
            return new DestinationPolicy(this);
        }
    }
}
