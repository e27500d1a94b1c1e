package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import ch.qos.logback.classic.Level;

import io.credential.testing.CapturedLog;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.UnsafeDestinationException.Reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What a URL must look like, and what an answer of DNS must hold. */
class DestinationPolicyTests {

    private static final DestinationPolicy POLICY = DestinationPolicy.builder().build();

    private final InetAddress open = address("93.184.215.14");

    private final InetAddress alsoOpen = address("2606:4700:4700::1111");

    private final InetAddress internal = address("10.11.12.13");

    @ParameterizedTest
    @CsvSource({
        "https://hooks.example.com/a?b=c, hooks.example.com, 443, hooks.example.com",
        "http://hooks.example.com, hooks.example.com, 80, hooks.example.com",
        "HTTPS://Hooks.EXAMPLE.com:8443/, hooks.example.com, 8443, Hooks.EXAMPLE.com:8443",
        "https://hooks.example.com:/, hooks.example.com, 443, hooks.example.com",
        "https://hooks.example.com:443/, hooks.example.com, 443, hooks.example.com:443",
        "https://hooks.example.com.:1/, hooks.example.com, 1, hooks.example.com.:1",
        "http://my_service:65535/, my_service, 65535, my_service:65535",
        "http://-a-.example/, -a-.example, 80, -a-.example",
        "https://xn--bcher-kva.example/, xn--bcher-kva.example, 443, xn--bcher-kva.example"
    })
    void vetWhenUrlIsWellFormedThenTakenApart(URI url, String host, int port, String authority) {
        VettedDestination destination = POLICY.vet(url, name -> List.of(open));

        assertThat(destination.uri()).isSameAs(url);
        assertThat(destination.scheme()).isEqualTo(url.getScheme().toLowerCase(Locale.ROOT));
        assertThat(destination.host()).isEqualTo(host);
        assertThat(destination.port()).isEqualTo(port);
        assertThat(destination.authority()).isEqualTo(authority);
        assertThat(destination.addresses()).containsExactly(open);
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_hook.example", "my_hook.example.", "a_b", "-a.example", "a-.example", "a.b-"})
    void checkWhenTlsCannotNameTheHostThenRefused(String host) {
        assertThatThrownBy(() -> POLICY.check(URI.create("https://" + host + ":8443/")))
                .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.MALFORMED_URL);
                    assertThat(e).hasMessageContaining("cannot be reached with https");
                });
        assertThatCode(() -> POLICY.check(URI.create("http://" + host + ":8080/")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hooks.example.com/path",
                "/path",
                "mailto:someone@example.com",
                "https:hooks.example.com",
                "https:///path",
                "https://user@hooks.example.com/",
                "https://user:secret@hooks.example.com/",
                "https://@hooks.example.com/",
                "https://127.0.0.1%2f@hooks.example.com/",
                "https://hooks.example.com:0/",
                "https://hooks.example.com:65536/",
                "https://hooks.example.com:123456/",
                "https://hooks.example.com:8a/",
                "https://hooks.example.com:-1/",
                "https://hooks.example.com:80:80/",
                "https://hooks..example.com/",
                "https://.example.com/",
                "https://hooks.example.com../",
                "https://./",
                "https://%31%32%37.0.0.1/",
                "https://hooks%2eexample.com/",
                "https://hooks.example.com;a/",
                "https://hooks.example.com,b.example/",
                "https://[::1%25eth0]/",
                "https://[fe80::1%25lo]:80/",
                "https://256.256.256.256/",
                "https://1.2.3.4.5/",
                "https://09.1.1.1/",
                "https://hooks.example.com/\u00e4",
                "https://b\u00fccher.example/",
                "https://\uff11\uff12\uff17.0.0.1/",
                "https://127\u30020\u30020\u30021/"
            })
    void checkWhenUrlIsMalformedOrAmbiguousThenRefused(String url) {
        assertThatThrownBy(() -> POLICY.check(URI.create(url)))
                .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.MALFORMED_URL);
                    assertThat(e.permanent()).isTrue();
                    assertThat(e.code()).isEqualTo("webhook/unsafe-destination");
                    assertThat(e).hasMessageNotContaining("secret");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://hooks.example.com/", "file://hooks.example.com/", "gopher://hooks.example.com:80/"})
    void checkWhenProtocolIsNotHttpThenRefused(String url) {
        assertThatThrownBy(() -> POLICY.check(URI.create(url)))
                .isInstanceOfSatisfying(
                        UnsafeDestinationException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.PROTOCOL))
                .hasMessageContaining("http and https");
    }

    @Test
    void checkWhenProtocolsAreNarrowedThenOnlyTheyPass() {
        DestinationPolicy tlsOnly =
                DestinationPolicy.builder().allowedProtocols(List.of("HTTPS")).build();

        assertThatCode(() -> tlsOnly.check(URI.create("https://hooks.example.com/")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> tlsOnly.check(URI.create("http://hooks.example.com/")))
                .isInstanceOf(UnsafeDestinationException.class)
                .hasMessageContaining("only https");
    }

    @Test
    void allowedProtocolsWhenNoneOrUnknownThenRefused() {
        assertThatThrownBy(() -> DestinationPolicy.builder().allowedProtocols(List.of()))
                .isInstanceOf(WebhookException.class);
        assertThatThrownBy(() -> DestinationPolicy.builder().allowedProtocols(List.of("https", "ftp")))
                .isInstanceOf(WebhookException.class)
                .hasMessageContaining("\"ftp\"");
    }

    @Test
    void checkWhenUrlOrHostIsTooLongThenRefused() {
        String start = "https://hooks.example.com/";
        URI longest = URI.create(start + "a".repeat(2048 - start.length()));

        assertThatCode(() -> POLICY.check(longest)).doesNotThrowAnyException();
        assertThatThrownBy(() -> POLICY.check(URI.create(longest + "a")))
                .isInstanceOf(UnsafeDestinationException.class)
                .hasMessageContaining("2048");
        assertThatThrownBy(() -> POLICY.check(URI.create("https://" + "a.".repeat(127) + "aa/")))
                .isInstanceOf(UnsafeDestinationException.class);
    }

    @Test
    void vetWhenNameEndsWithADotThenResolverGetsTheDot() {
        List<String> asked = new ArrayList<>();
        POLICY.vet(URI.create("https://Hooks.example.com./"), host -> {
            asked.add(host);
            return List.of(open);
        });

        assertThat(asked).containsExactly("hooks.example.com.");
    }

    @Test
    void vetWhenAnswerRepeatsAddressesThenEachOnceInOrder() {
        VettedDestination destination =
                POLICY.vet(URI.create("https://hooks.example.com/"), host -> List.of(alsoOpen, open, alsoOpen));

        assertThat(destination.addresses()).containsExactly(alsoOpen, open);
    }

    @Test
    void vetWhenOneAddressIsForbiddenThenAllAreRefused() {
        for (int position : IntStream.range(0, 3).toArray()) {
            List<InetAddress> answer = new ArrayList<>(List.of(open, alsoOpen));
            answer.add(position, internal);

            assertThatThrownBy(() -> POLICY.vet(URI.create("https://hooks.example.com/"), host -> answer))
                    .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN_ANSWER);
                        assertThat(e.permanent()).isFalse();
                    })
                    .hasMessageContaining("hooks.example.com")
                    .hasMessageNotContaining("10.11.12.13")
                    .hasMessageNotContaining("private");
        }
    }

    @Test
    void vetWhenThereIsNoAnswerThenRefusedForNow() {
        URI url = URI.create("https://hooks.example.com/");

        assertThatThrownBy(() -> POLICY.vet(url, host -> List.of()))
                .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_ANSWER);
                    assertThat(e.permanent()).isFalse();
                });
        assertThatThrownBy(() -> POLICY.vet(url, host -> {
                    throw new UnknownHostException(host);
                }))
                .isInstanceOfSatisfying(
                        UnsafeDestinationException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.NO_ANSWER))
                .hasMessageContaining("hooks.example.com");
    }

    @Test
    void vetWhenInternalIsAllowedThenSaysUnresolved() {
        URI url = URI.create("https://hooks.example.com/");

        assertThatThrownBy(() -> Sending.LOOPBACK.vet(url, host -> List.of()))
                .isInstanceOfSatisfying(UnsafeDestinationException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_ANSWER);
                    assertThat(e.permanent()).isFalse();
                    assertThat(e.code()).isEqualTo("webhook/unresolvable-destination");
                })
                .hasMessageStartingWith("The host hooks.example.com could not be resolved");
    }

    /** Whoever may enter a URL must not learn which names there are inside, and where they lead. */
    @Test
    void vetWhenHostIsRefusedThenMessageDoesNotTellWhy() {
        HostResolver unknown = host -> {
            throw new UnknownHostException(host);
        };
        List<UnsafeDestinationException> refusals = List.of(
                refusal("https://hooks.example.com/", host -> List.of()),
                refusal("https://hooks.example.com/", unknown),
                refusal("https://hooks.example.com/", host -> List.of(open, internal)),
                refusal("https://10.11.12.13/", unknown),
                refusal("https://169.254.169.254/", unknown),
                refusal("https://[::1]/", unknown),
                refusal("https://0.0.0.0/", unknown));

        assertThat(refusals.stream()
                        .map(refusal -> String.valueOf(refusal.getMessage())
                                .replaceAll("to the host [^ ]+:( |$)", "to the host X: ")))
                .allSatisfy(message -> assertThat(message)
                        .isEqualTo("Webhooks may not be sent to the host X: it must resolve to public addresses,"
                                + " or to addresses that the operator has allowed with"
                                + " 'credential.webhook.dispatcher.allowed-cidrs' or 'allow-internal-destinations'"));
        assertThat(refusals.stream().map(UnsafeDestinationException::detail)).doesNotHaveDuplicates();
        assertThat(refusals.get(2).detail()).contains("10.11.12.13", "private use");
    }

    @Test
    void vetWhenHostIsRefusedThenTheLogTellsWhy() {
        try (CapturedLog log = CapturedLog.of(DestinationPolicy.class).level(Level.DEBUG)) {
            refusal("https://hooks.example.com/", host -> List.of(internal));

            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
                assertThat(event.getFormattedMessage()).contains("hooks.example.com", "10.11.12.13", "private use");
            });
        }
    }

    private static UnsafeDestinationException refusal(String url, HostResolver resolver) {
        return catchThrowableOfType(UnsafeDestinationException.class, () -> POLICY.vet(URI.create(url), resolver));
    }

    @Test
    void vetWhenHostIsLocalhostThenRefused() {
        assertThatThrownBy(() -> POLICY.vet(URI.create("http://localhost/"), HostResolver.system()))
                .isInstanceOf(UnsafeDestinationException.class);
    }

    @Test
    void toStringThenShowsSchemeHostAndPortOnly() {
        VettedDestination destination =
                POLICY.vet(URI.create("https://hooks.example.com/token-in-path"), host -> List.of(open));

        assertThat(destination).hasToString("https://hooks.example.com:443");
        assertThat(POLICY.vet(URI.create("http://[2606:4700:4700::1111]/"), HostResolver.system()))
                .hasToString("http://[2606:4700:4700:0:0:0:0:1111]:80");
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
