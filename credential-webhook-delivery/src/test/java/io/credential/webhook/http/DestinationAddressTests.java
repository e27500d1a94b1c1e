package io.credential.webhook.http;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.WebhookException;
import io.credential.webhook.http.UnsafeDestinationException.Reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which addresses may be sent to, over whole ranges and in every notation. */
class DestinationAddressTests {

    private static final DestinationPolicy STRICT = DestinationPolicy.builder().build();

    private static final DestinationPolicy INTERNAL =
            DestinationPolicy.builder().allowInternalDestinations(true).build();

    private static final List<String> METADATA = List.of(
            "169.254.169.254",
            "169.254.169.253",
            "169.254.170.2",
            "169.254.170.23",
            "169.254.0.23",
            "169.254.42.42",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd20:ce::254",
            "fd00:c1::a9fe:a9fe",
            "fd00:42::42",
            "fd00:a9fe:a9fe::1",
            "fe80::a9fe:a9fe");

    static List<SpecialRanges> ranges() {
        return Stream.concat(SpecialRanges.IPV4.stream(), SpecialRanges.IPV6.stream())
                .toList();
    }

    static List<SpecialRanges> ipv4Ranges() {
        return SpecialRanges.IPV4;
    }

    static List<String> metadata() {
        return METADATA;
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void checkWhenAddressIsInASpecialRangeThenRefused(SpecialRanges range) {
        range.members().forEach(member -> {
            InetAddress address = SpecialRanges.address(member, range.bytes());

            assertRefused(STRICT, address);
            assertThatThrownBy(() -> STRICT.check(url(literal(address))))
                    .as(address.getHostAddress())
                    .isInstanceOfSatisfying(
                            UnsafeDestinationException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN_ADDRESS));
        });
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void checkWhenAddressIsJustOutsideARangeThenPasses(SpecialRanges range) {
        range.publicNeighbours().forEach(neighbour -> {
            InetAddress address = SpecialRanges.address(neighbour, range.bytes());

            assertThat(answer(STRICT, address).addresses()).containsExactly(address);
            assertThatCode(() -> STRICT.check(url(literal(address)))).doesNotThrowAnyException();
        });
    }

    @ParameterizedTest
    @MethodSource("ipv4Ranges")
    void checkWhenIpv4HasAnotherNotationThenJudgedAlike(SpecialRanges range) {
        Stream.concat(range.members(), range.publicNeighbours()).forEach(member -> {
            boolean open = SpecialRanges.isPublic(member, 4);
            for (String notation : notations(member.longValueExact())) {
                if (open) {
                    assertThat(STRICT.vet(url(notation), neverAsked()).addresses())
                            .as(notation)
                            .containsExactly(SpecialRanges.address(member, 4));
                } else {
                    assertThatThrownBy(() -> STRICT.check(url(notation)))
                            .as(notation)
                            .isInstanceOf(UnsafeDestinationException.class);
                }
            }
        });
    }

    @Test
    void vetWhenAddressIsRandomThenMatchesRegistries() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            int bytes = random.nextBoolean() ? 4 : 16;
            BigInteger value = new BigInteger(bytes * 8, random);
            if (bytes == 16 && random.nextBoolean()) {
                value = value.shiftRight(3).setBit(125); // most of all IPv6 is reserved; look at what is not
            }
            InetAddress address = SpecialRanges.address(value, bytes);
            assertThat(passes(STRICT, address))
                    .as(address.getHostAddress())
                    .isEqualTo(SpecialRanges.isPublic(value, bytes));
        }
    }

    @ParameterizedTest
    @MethodSource("ipv4Ranges")
    void vetWhenIpv6CarriesIpv4ThenTheIpv4IsJudged(SpecialRanges range) throws UnknownHostException {
        DestinationPolicy open = DestinationPolicy.builder()
                .allowedCidrs(List.of("2002::/16", "2001::/32", "::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48"))
                .build();
        for (BigInteger member :
                Stream.concat(range.members(), range.publicNeighbours()).toList()) {
            byte[] ipv4 = SpecialRanges.address(member, 4).getAddress();
            boolean isPublic = SpecialRanges.isPublic(member, 4);
            for (InetAddress carrier : carriers(ipv4)) {
                assertThat(passes(open, carrier)).as(carrier.getHostAddress()).isEqualTo(isPublic);
            }
        }
    }

    @Test
    void checkWhenMappedOrNat64HostIsPublicThenPasses() {
        assertThat(STRICT.vet(url("[::ffff:93.184.215.14]"), neverAsked()).host())
                .isEqualTo("93.184.215.14");
        assertThatCode(() -> STRICT.check(url("[64:ff9b::5db8:d70e]"))).doesNotThrowAnyException();
        assertThatCode(() -> STRICT.check(url("[2606:4700:4700::1111]"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[0:0:0:0:0:FFFF:a9fe:a9fe]",
                "[::127.0.0.1]",
                "[::ffff:0:127.0.0.1]",
                "[64:ff9b::10.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[64:ff9b:1::8.8.8.8]",
                "[2002:7f00:1::]",
                "[2002:808:808::1]",
                "[2001:0:808:808::f7f7:f7f7]",
                "[2606:4700::5efe:10.0.0.1]",
                "[2606:4700::200:5efe:7f00:1]",
                "[2001::1]"
            })
    void checkWhenIpv6FormIsOfAForbiddenAddressThenRefused(String host) {
        assertThatThrownBy(() -> STRICT.check(url(host))).isInstanceOf(UnsafeDestinationException.class);
    }

    @Test
    void checkWhenIsatapHostIsPublicThenPasses() {
        assertThatCode(() -> STRICT.check(url("[2606:4700::200:5efe:8.8.8.8]"))).doesNotThrowAnyException();
    }

    @Test
    void checkWhenAddressIsTeredoThenBothInsideAreJudged() {
        DestinationPolicy open =
                DestinationPolicy.builder().allowedCidrs(List.of("2001::/32")).build();

        assertThatCode(() -> open.check(url("[2001:0:808:808::f7f7:f7f7]"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> open.check(url("[2001:0:808:808::80ff:fffe]")))
                .as("client 127.0.0.1")
                .isInstanceOf(UnsafeDestinationException.class);
        assertThatThrownBy(() -> open.check(url("[2001:0:a00:1::f7f7:f7f7]")))
                .as("server 10.0.0.1")
                .isInstanceOf(UnsafeDestinationException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "64:ff9b:1:a9fe:a9:fe00::",
                "64:ff9b:1:a9:fe:a9fe::",
                "64:ff9b:1:0:a9:fea9:fe00:0",
                "64:ff9b:1::a9fe:a9fe",
                "64:ff9b:1:a9fe:a9:fe11:2233:4455"
            })
    void vetWhenLocalNat64HoldsMetadataThenRefused(String text) throws UnknownHostException {
        assertRefused(INTERNAL, InetAddress.getByName(text));
    }

    @ParameterizedTest
    @MethodSource("metadata")
    void checkWhenMetadataIsAllowedThenStillRefused(String text) throws UnknownHostException {
        InetAddress address = InetAddress.getByName(text);
        DestinationPolicy everything = DestinationPolicy.builder()
                .allowedCidrs(List.of("0.0.0.0/0", "::/0", text))
                .allowInternalDestinations(true)
                .build();

        assertRefused(STRICT, address);
        assertRefused(everything, address);
        assertThatThrownBy(() -> everything.check(url(literal(address))))
                .isInstanceOfSatisfying(
                        UnsafeDestinationException.class,
                        e -> assertThat(e.detail()).contains("metadata"));
        if (address.getAddress().length == 4) {
            for (InetAddress carrier : carriers(address.getAddress())) {
                assertRefused(everything, carrier);
            }
        }
    }

    /** The JDK's own resolver can hand these out, although the JDK's factories for addresses do not make them. */
    @ParameterizedTest
    @MethodSource("ipv4Ranges")
    void vetWhenMappedAddressStayedIpv6ThenJudgedAsIpv4(SpecialRanges range) throws UnknownHostException {
        for (BigInteger member :
                Stream.concat(range.members(), range.publicNeighbours()).toList()) {
            InetAddress ipv4 = SpecialRanges.address(member, 4);
            InetAddress mapped = mapped(ipv4.getAddress());

            assertThat(passes(STRICT, mapped)).as(ipv4.getHostAddress()).isEqualTo(SpecialRanges.isPublic(member, 4));
        }
    }

    @Test
    void vetWhenMappedMetadataStayedIpv6ThenRefused() throws UnknownHostException {
        assertRefused(INTERNAL, mapped(new byte[] {(byte) 169, (byte) 254, (byte) 169, (byte) 254}));
    }

    @Test
    void vetWhenMappedOrScopedThenIpv4OrWithoutScope() throws UnknownHostException {
        InetAddress ipv4 = InetAddress.getByName("10.1.2.3");
        InetAddress scoped =
                Inet6Address.getByAddress(null, InetAddress.getByName("fe80::1").getAddress(), 3);

        assertThat(answer(INTERNAL, mapped(ipv4.getAddress())).addresses()).containsExactly(ipv4);
        assertThat(answer(INTERNAL, scoped).addresses())
                .singleElement()
                .isInstanceOfSatisfying(
                        Inet6Address.class,
                        address -> assertThat(address.getHostAddress()).doesNotContain("%"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.1.1", "::1", "fd12::1", "fe80::1", "0.0.0.0"})
    void vetWhenInternalDestinationsAreAllowedThenPasses(String text) throws UnknownHostException {
        InetAddress address = InetAddress.getByName(text);

        assertThat(answer(INTERNAL, address).addresses()).containsExactly(address);
    }

    @Test
    void checkWhenARangeIsAllowedThenOnlyThatRangePasses() {
        DestinationPolicy policy = DestinationPolicy.builder()
                .allowedCidrs(List.of("10.20.0.0/16", "fd12:3456::/32", "192.168.7.7", "::ffff:172.16.0.0/108"))
                .build();

        for (String host : List.of("10.20.0.0", "10.20.255.255", "[fd12:3456::1]", "192.168.7.7", "172.31.255.255")) {
            assertThatCode(() -> policy.check(url(host))).as(host).doesNotThrowAnyException();
        }
        for (String host : List.of("10.19.255.255", "10.21.0.0", "[fd12:3457::]", "192.168.7.8", "127.0.0.1")) {
            assertThatThrownBy(() -> policy.check(url(host))).as(host).isInstanceOf(UnsafeDestinationException.class);
        }
    }

    @Test
    void vetWhenLoopbackIsAllowedThenLocalhostPasses() {
        DestinationPolicy policy = DestinationPolicy.builder()
                .allowedCidrs(List.of("127.0.0.0/8", "::1/128"))
                .build();

        assertThat(policy.vet(url("localhost"), host -> List.of(Sending.address("127.0.0.1"), Sending.address("::1")))
                        .addresses())
                .hasSize(2);
    }

    @Test
    void checkWhenAddressIsThisHostsOwnThenRefused() {
        DestinationPolicy policy = withOwn("198.41.0.4", "2606:4700:4700::1111").build();

        for (String host : List.of("198.41.0.4", "[2606:4700:4700::1111]", "[64:ff9b::198.41.0.4]", "0xc6290004")) {
            assertThatThrownBy(() -> policy.check(url(host)))
                    .as(host)
                    .isInstanceOfSatisfying(
                            UnsafeDestinationException.class,
                            e -> assertThat(e.detail()).contains("an address of this host"));
        }
        assertThatCode(() -> policy.check(url("198.41.0.5"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> policy.vet(url("hooks.example.com"), host -> List.of(Sending.address("198.41.0.4"))))
                .isInstanceOf(UnsafeDestinationException.class);
    }

    @Test
    void checkWhenOwnAddressIsAllowedThenPasses() {
        for (DestinationPolicy.Builder opened : List.of(
                withOwn("198.41.0.4").allowedCidrs(List.of("198.41.0.4")),
                withOwn("198.41.0.4").allowInternalDestinations(true))) {
            assertThatCode(() -> opened.build().check(url("198.41.0.4"))).doesNotThrowAnyException();
        }
    }

    @Test
    void checkWhenOwnAddressesCannotBeReadThenRefusedForNow() {
        DestinationPolicy policy = DestinationPolicy.builder()
                .ownAddresses(new HostAddresses(
                        () -> {
                            throw new IOException("no interfaces");
                        },
                        () -> 0))
                .build();

        assertThatThrownBy(() -> policy.check(url("198.41.0.4")))
                .isInstanceOfSatisfying(
                        UnsafeDestinationException.class,
                        e -> assertThat(e.permanent()).isFalse());
    }

    private static DestinationPolicy.Builder withOwn(String... addresses) {
        Set<InetAddress> own = Stream.of(addresses).map(Sending::address).collect(Collectors.toSet());
        return DestinationPolicy.builder().ownAddresses(new HostAddresses(() -> own, () -> 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0/8",
                "10.0.0.0/-1",
                "::/129",
                "host/8",
                "10.0.0.0/8/8",
                "/8"
            })
    void allowedCidrsWhenRangeIsUnreadableThenRefused(String cidr) {
        assertThatThrownBy(() -> DestinationPolicy.builder().allowedCidrs(List.of(cidr)))
                .isInstanceOfSatisfying(
                        WebhookException.class, e -> assertThat(e.code()).isEqualTo("webhook/bad-opt"))
                .hasMessageContaining("\"" + cidr + "\"");
    }

    private static InetAddress mapped(byte[] ipv4) throws UnknownHostException {
        byte[] bytes = new byte[16];
        bytes[10] = -1;
        bytes[11] = -1;
        System.arraycopy(ipv4, 0, bytes, 12, 4);
        return Inet6Address.getByAddress("hooks.example.com", bytes, -1);
    }

    private static List<InetAddress> carriers(byte[] ipv4) throws UnknownHostException {
        String hex = String.format("%02x%02x:%02x%02x", ipv4[0], ipv4[1], ipv4[2], ipv4[3]);
        String inverted =
                String.format("%02x%02x:%02x%02x", ~ipv4[0] & 255, ~ipv4[1] & 255, ~ipv4[2] & 255, ~ipv4[3] & 255);
        return List.of(
                InetAddress.getByName("::ffff:" + hex),
                InetAddress.getByName("::ffff:0:" + hex),
                InetAddress.getByName("64:ff9b::" + hex),
                InetAddress.getByName("2002:" + hex + "::1"),
                InetAddress.getByName("2001:0:" + hex + "::f7f7:f7f7"),
                InetAddress.getByName("2001:0:808:808::" + inverted),
                InetAddress.getByName("2606:4700::5efe:" + hex));
    }

    /** The forms in which resolvers and URL parsers have been seen to accept an IPv4 address. */
    private static List<String> notations(long value) {
        long a = value >> 24;
        long b = value >> 16 & 255;
        long c = value >> 8 & 255;
        long d = value & 255;
        return List.of(
                "%d.%d.%d.%d".formatted(a, b, c, d),
                "%d.%d.%d.%d.".formatted(a, b, c, d),
                "%d.%d.%d".formatted(a, b, value & 0xffff),
                "%d.%d".formatted(a, value & 0xff_ffff),
                Long.toString(value),
                "0x%x".formatted(value),
                "0X%X".formatted(value),
                "0%o".formatted(value),
                "0%o.0%o.0%o.0%o".formatted(a, b, c, d),
                "0x%x.0x%x.0x%x.0x%x".formatted(a, b, c, d),
                "0x%x.%d.0%o".formatted(a, b, value & 0xffff),
                "[::ffff:%d.%d.%d.%d]".formatted(a, b, c, d),
                "[::ffff:%x:%x]".formatted(value >> 16, value & 0xffff),
                "[0:0:0:0:0:FFFF:%X:%X]".formatted(value >> 16, value & 0xffff));
    }

    private static String literal(InetAddress address) {
        return address.getAddress().length == 4 ? address.getHostAddress() : "[" + address.getHostAddress() + "]";
    }

    private static URI url(String host) {
        return URI.create("http://" + host + "/hook");
    }

    private static HostResolver neverAsked() {
        return host -> {
            throw new AssertionError("asked for " + host);
        };
    }

    private static VettedDestination answer(DestinationPolicy policy, InetAddress address) {
        return policy.vet(url("hooks.example.com"), host -> List.of(address));
    }

    private static boolean passes(DestinationPolicy policy, InetAddress address) {
        try {
            return !answer(policy, address).addresses().isEmpty();
        } catch (UnsafeDestinationException e) {
            return false;
        }
    }

    private static void assertRefused(DestinationPolicy policy, InetAddress address) {
        assertThatThrownBy(() -> answer(policy, address))
                .as(address.getHostAddress())
                .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN_ANSWER);
                    assertThat(e).hasMessageNotContaining(address.getHostAddress());
                });
    }
}
