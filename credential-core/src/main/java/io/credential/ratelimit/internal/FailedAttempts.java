package io.credential.ratelimit.internal;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.ratelimit.RateLimit;

/**
 * Counts failed attempts for each client address and for each key, in the memory of this node. The next attempt may be
 * made with a valid key: attempts beyond the limit must still be verified, and only those that fail get another
 * response. An IPv6 address counts as its /64 network.
 *
 * <p>Anyone who knows the id of a key can fail with it. The limit of a key therefore applies only to addresses from
 * which the key was rejected within the last window. Bounded: of more than 100,000 addresses and keys, those that are
 * used least are forgotten, and those that have reached the limit last. Thread-safe.
 */
public final class FailedAttempts {

    private static final int MAX_REJECTIONS = 100_000;
    private static final int MAX_LENGTH = 150;
    private static final int NETWORK_BYTES = 8;

    private static final Pattern IPV4_WITH_PORT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3}):\\d{1,5}");

    /** Anything but a literal address would be looked up in the DNS. */
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F:.]{1,44}");

    private final RateLimit limit;
    private final InMemoryRateLimiter failures;
    private final Cache<Rejection, Boolean> rejections;

    /**
     * @param limit how many failures each address and each key may have in a window
     * @param clock decides when a window ends
     */
    public FailedAttempts(RateLimit limit, InstantSource clock) {
        this.limit = limit;
        this.failures = new InMemoryRateLimiter(clock);
        this.rejections = Caffeine.newBuilder()
                .maximumSize(MAX_REJECTIONS)
                .ticker(() -> Buckets.nanos(clock))
                .expireAfterWrite(limit.window())
                .executor(Runnable::run)
                .build();
    }

    /**
     * Returns how long the limit remains exceeded, or empty if it is not. Attempts that run at the same time may exceed
     * it by their number.
     *
     * @param address the address of the client; null if it is unknown
     * @param key identifies the key; null if the attempt names none
     */
    public Optional<Duration> exceededFor(@Nullable String address, @Nullable String key) {
        String network = network(address);
        Optional<Duration> exceeded = wait(ofAddress(network));
        if (exceeded.isPresent()
                || key == null
                || rejections.getIfPresent(new Rejection(network, shortened(key))) == null) {
            return exceeded;
        }
        return wait(ofKey(key));
    }

    /** Counts a failure. */
    public void failed(@Nullable String address, @Nullable String key) {
        String network = network(address);
        count(ofAddress(network));
        if (key != null) {
            count(ofKey(key));
            rejections.put(new Rejection(network, shortened(key)), true);
        }
    }

    private Optional<Duration> wait(String bucket) {
        Duration wait = failures.refusesFor(bucket, limit);
        return wait.isZero() ? Optional.empty() : Optional.of(wait);
    }

    private void count(String bucket) {
        failures.tryAcquire(bucket, limit);
    }

    private static String ofAddress(String network) {
        return "address " + network;
    }

    private static String ofKey(String key) {
        return "key " + shortened(key);
    }

    /**
     * Returns the /64 network of an IPv6 address, with or without brackets, port and zone; an IPv4 address without the
     * port that some proxies forward with it; any other text as it is, as far as it can be an address.
     */
    static String network(@Nullable String address) {
        if (address == null) {
            return "unknown";
        }
        String literal = address.startsWith("[") ? before(']', address.substring(1)) : address;
        literal = before('%', literal);
        Matcher withPort = IPV4_WITH_PORT.matcher(literal);
        if (withPort.matches()) {
            return withPort.group(1);
        }
        if (literal.indexOf(':') >= 0 && IPV6.matcher(literal).matches()) {
            try {
                InetAddress parsed = InetAddress.getByName(literal);
                return parsed instanceof Inet6Address
                        ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), NETWORK_BYTES)) + "/64"
                        : parsed.getHostAddress(); // IPv4 in IPv6
            } catch (UnknownHostException e) {
                return shortened(literal);
            }
        }
        return shortened(literal);
    }

    private static String before(char end, String text) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }

    private static String shortened(String text) {
        return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) : text;
    }

    private record Rejection(String network, String key) {}
}
