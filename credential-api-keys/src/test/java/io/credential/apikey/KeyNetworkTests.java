package io.credential.apikey;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The networks that may use a key. */
@BothDatabases
class KeyNetworkTests extends RegistryTestBase {

    private static final IssueRequest REQUEST = IssueRequest.forOwner("user-42");
    private static final List<String> NETWORKS = List.of("192.0.2.0/24", "2001:db8::/32");

    KeyNetworkTests(TestDatabase database) {
        super(database);
    }

    private ApiKey keyFor(String... networks) {
        IssuedApiKey issued = registry.issue(REQUEST.allowedNetworks(List.of(networks)));
        return registry.verify(issued.key()).orElseThrow();
    }

    @Test
    void issueWhenRestrictedThenEveryReadGivesTheNetworks() {
        IssuedApiKey issued = registry.issue(REQUEST.allowedNetworks(NETWORKS));

        assertThat(registry.verify(issued.key()).orElseThrow().allowedNetworks())
                .isEqualTo(NETWORKS);
        assertThat(registry.getById(issued.id()).orElseThrow().allowedNetworks())
                .isEqualTo(NETWORKS);
        assertThat(fixture.stored(issued.id(), "details")).startsWith("s1.").doesNotContain("192.0.2");
    }

    @Test
    void allowedNetworksThenCanonicalAndDistinct() {
        assertThat(REQUEST.allowedNetworks(List.of(
                                "192.0.2.7", "192.0.2.7/32", "::ffff:192.0.2.7", "2001:DB8:0::/32", "0.0.0.0/0"))
                        .allowedNetworks())
                .containsExactly("192.0.2.7/32", "2001:db8::/32", "0.0.0.0/0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "example.org/24",
                "10.0.0.0/33",
                "10.0.0.7/8",
                "::ffff:10.0.0.7/104",
                "2001:db8::1/32",
                "fe80::1%eth0",
                "10.1",
                "010.0.0.1",
                "*"
            })
    void allowedNetworksWhenNotANetworkThenRefused(String network) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> REQUEST.allowedNetworks(List.of("192.0.2.0/24", network)))
                .withMessageContaining("allowedNetworks")
                .withMessageContaining(network)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> ApiKeyChanges.none().allowedNetworks(List.of(network)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    @Test
    void allowedNetworksWhenBitsAreBeyondPrefixThenExplains() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> REQUEST.allowedNetworks(List.of("10.1.2.3/8")))
                .withMessageContaining("'10.1.2.3/8'")
                .withMessageContaining("write 10.0.0.0/8");
    }

    @Test
    void allowedNetworksWhenTextIsHostileThenNotRepeated() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> REQUEST.allowedNetworks(List.of("a\nforged log line")))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("forged"));
    }

    @Test
    void allowedNetworksWhenNullOrTooManyThenRefused() {
        for (List<String> networks : Arrays.<List<String>>asList(
                null, Collections.singletonList(null), Collections.nCopies(33, "192.0.2.0/24"))) {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> REQUEST.allowedNetworks(networks))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
        }
        assertThat(REQUEST.allowedNetworks(Collections.nCopies(32, "192.0.2.0/24"))
                        .allowedNetworks())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0, true",
        "192.0.2.255, true",
        "192.0.3.0, false",
        "::ffff:192.0.2.7, true",
        "::ffff:c000:207, true",
        "::ffff:192.0.3.7, false",
        "::192.0.2.7, false",
        "64:ff9b::192.0.2.7, false",
        "2001:db8:ffff::1, true",
        "2001:DB8:0:0:0:0:0:1, true",
        "2001:db9::1, false",
        "2001:db8::1%eth0, false",
        "2001:db8::1%1, false",
        "[2001:db8::1], true",
        "192.0.2.7:443, true",
        "192.0.3.7:443, false",
        "192.0.2.7/32, false",
        "192.0.2.07, false",
        "3221225991, false",
        "'192.0.2.7, 192.0.2.7', false",
        "' 192.0.2.7', false",
        "localhost, false",
        "unknown, false",
        "'', false",
        ", false"
    })
    void allowsAddressWhenRestrictedThenOnlyInItsNetworks(String address, boolean allowed) {
        assertThat(keyFor("192.0.2.0/24", "2001:db8::/32").allowsAddress(address))
                .isEqualTo(allowed);
    }

    @Test
    void allowsAddressWhenAllIpv4AreAllowedThenNotIpv6() {
        assertThat(keyFor("0.0.0.0/0").allowsAddress("203.0.113.9")).isTrue();
        assertThat(keyFor("0.0.0.0/0").allowsAddress("2001:db8::1")).isFalse();
        assertThat(keyFor("::/0").allowsAddress("203.0.113.9")).isFalse();
        assertThat(keyFor("::/0").allowsAddress("::ffff:203.0.113.9")).isFalse();
    }

    @Test
    void allowsWhenNotRestrictedThenEveryAddress() throws UnknownHostException {
        ApiKey key = keyFor();

        assertThat(key.allowsAddress("203.0.113.9")).isTrue();
        assertThat(key.allowsAddress(null)).isTrue();
        assertThat(key.allows(InetAddress.getByName("fe80::1%1"))).isTrue();
    }

    @Test
    void allowsWhenRestrictedThenOnlyInItsNetworks() throws UnknownHostException {
        ApiKey key = keyFor("192.0.2.0/24", "fe80::/10");

        assertThat(key.allows(InetAddress.getByName("192.0.2.7"))).isTrue();
        assertThat(key.allows(InetAddress.getByName("192.0.3.7"))).isFalse();
        assertThat(key.allows(InetAddress.getByName("fe80::1"))).isTrue();
        assertThat(key.allows(Inet6Address.getByAddress(
                        null, InetAddress.getByName("fe80::1").getAddress(), 2)))
                .isFalse();
    }

    /** Only a later version could have stored it. */
    @Test
    void allowsWhenNetworkIsUnreadableThenNothing() throws UnknownHostException {
        ApiKey key = keyFor();
        ApiKey restricted = new ApiKey(
                key.id(),
                key.namespace(),
                key.prefix(),
                key.ownerId(),
                null,
                List.of(),
                Map.of(),
                key.createdAt(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of("!192.0.2.0/24"),
                false,
                false);

        assertThat(restricted.allowsAddress("192.0.2.7")).isFalse();
        assertThat(restricted.allows(InetAddress.getByName("203.0.113.9"))).isFalse();
    }

    @Test
    void updateThenNetworksAreReplacedRemovedOrKept() {
        IssuedApiKey issued = registry.issue(REQUEST.allowedNetworks(NETWORKS));

        assertThat(registry.update(issued.id(), ApiKeyChanges.none().scopes("a"))
                        .allowedNetworks())
                .isEqualTo(NETWORKS);
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().allowedNetworks(List.of("203.0.113.9")))
                        .allowedNetworks())
                .containsExactly("203.0.113.9/32");
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().allowedNetworks(List.of()))
                        .allowedNetworks())
                .isEmpty();
    }

    @Test
    void rotateThenTheNetworksStay() {
        IssuedApiKey issued = registry.issue(REQUEST.allowedNetworks(NETWORKS));

        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.immediate());

        assertThat(registry.verify(rotated.key()).orElseThrow().allowedNetworks())
                .isEqualTo(NETWORKS);
    }

    @Test
    void issueAndUpdateThenTheAuditTrailShowsTheNetworks() {
        IssuedApiKey issued = registry.issue(REQUEST.allowedNetworks(NETWORKS));
        registry.update(issued.id(), ApiKeyChanges.none().allowedNetworks(List.of("192.0.2.0/24", "10.0.0.0/8")));
        registry.update(issued.id(), ApiKeyChanges.none().scopes("a"));
        registry.issue(REQUEST);

        assertThat(fixture.audit.get(0).attributes()).containsEntry("networksAdded", NETWORKS);
        assertThat(fixture.audit.get(1).attributes())
                .containsEntry("networksAdded", List.of("10.0.0.0/8"))
                .containsEntry("networksRemoved", List.of("2001:db8::/32"));
        assertThat(fixture.audit.get(2).attributes()).doesNotContainKeys("networksAdded", "networksRemoved");
        assertThat(fixture.audit.get(3).attributes()).doesNotContainKey("networksAdded");
    }
}
