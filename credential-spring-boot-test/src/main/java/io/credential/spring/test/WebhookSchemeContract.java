package io.credential.spring.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.scheme.RequestHead;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookScheme.Match;
import io.credential.webhook.signature.scheme.WebhookScheme.Presented;
import io.credential.webhook.signature.scheme.WebhookScheme.Verifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * What every {@link WebhookScheme} must keep, as tests for JUnit: extend this class in the tests of your scheme. The time
 * window and the nonce store are those of the library, and not tested.
 *
 * @since 0.1.0
 */
public abstract class WebhookSchemeContract {

    private static final int THREADS = 8;

    /** The same in each run, so that a failure can be repeated. */
    private static final long SEED = 1;

    private static final List<String> HOSTILE =
            List.of("", " ", ",", "=", "\u00e9", "\ud83d", "-1", "9".repeat(30), "x".repeat(100_000));

    /** Returns the scheme. */
    protected abstract WebhookScheme scheme();

    /** Returns requests that the sender signed, at least one for each form of a request. */
    protected abstract List<SignedRequest> requests();

    /** Returns a valid key that has not signed any of the requests. */
    protected abstract String otherKey();

    @Test
    void verifyWhenSignedThenAcceptedWithItsClaims() {
        for (SignedRequest request : requests()) {
            assertAccepted(verifier(request), request, request.head());
            assertEquals(
                    request.claims(), verifier(request).examine(request.head()).claims());
        }
    }

    @Test
    void verifyWhenHeaderNamesChangeCaseThenAccepted() {
        for (SignedRequest request : requests()) {
            assertAccepted(verifier(request), request, named(request, name -> name.toLowerCase(Locale.ROOT)));
            assertAccepted(verifier(request), request, named(request, name -> name.toUpperCase(Locale.ROOT)));
        }
    }

    @Test
    void verifyWhenTheBodyChangesThenBadSignature() {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            byte[] body = request.body();
            List<byte[]> changes = new ArrayList<>();
            for (int bit = 0; bit < 8 * body.length; bit++) {
                byte[] flipped = body.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                changes.add(flipped);
            }
            changes.add(Arrays.copyOf(body, body.length + 1));
            if (body.length > 0) {
                changes.add(Arrays.copyOf(body, body.length - 1));
            }
            for (int i = 0; i < changes.size(); i++) {
                assertEquals(
                        Optional.of(WebhookErrorCode.BAD_SIGNATURE),
                        refusal(verifier, request.head(), changes.get(i), "a changed body"),
                        request + " with bit " + i + " of its body changed, or with another length");
            }
        }
    }

    @Test
    void verifyWhenASignedHeaderChangesThenRefused() {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            request.signedHeaders().forEach((name, value) -> {
                changes(value)
                        .forEach(changed -> assertRefused(
                                verifier, request, request.with(name, List.of(changed)), name + ": " + changed));
                assertRefused(verifier, request, request.with(name, List.of()), "no header " + name);
                assertRefused(verifier, request, request.with(name, List.of(value, value)), name + " twice");
            });
            assertRefused(verifier, request, new RequestHead(request.url(), Map.of()), "no headers");
        }
    }

    @Test
    void verifyWhenTheSignedUrlChangesThenRefused() {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            changes(request.url())
                    .forEach(changed -> assertRefused(
                            verifier, request, new RequestHead(changed, request.headers()), "the URL " + changed));
        }
    }

    @Test
    void verifyWhenHeadersAreStrangeThenNothingElseThrown() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> strange = Stream.concat(
                        HOSTILE.stream(), IntStream.range(0, 200).mapToObj(i -> randomText(random)))
                .toList();
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            for (String value : strange) {
                Map<String, List<String>> all = request.headers();
                all.replaceAll((name, lines) -> List.of(value));
                assertRefused(
                        verifier, request, new RequestHead(request.url(), all), "all headers: " + shortened(value));
                for (String name : request.headers().keySet()) {
                    RequestHead head = request.with(name, List.of(value));
                    String change = name + ": " + shortened(value);
                    Optional<WebhookErrorCode> refusal = refusal(verifier, head, request.body(), change);
                    if (refusal.isEmpty() && request.signedHeaders().containsKey(name)) {
                        fail(request + " was accepted with " + change);
                    }
                }
            }
        }
    }

    @Test
    void verifyWhenTheKeyIsAnotherThenBadSignature() {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(Map.of(request.kid(), otherKey()));
            assertEquals(
                    Optional.of(WebhookErrorCode.BAD_SIGNATURE),
                    refusal(verifier, request.head(), request.body(), "another key"),
                    request + " with another key");
        }
    }

    /** While a sender exchanges its key. */
    @Test
    void verifyWhenOneOfTwoKeysMatchesThenNamesIt() {
        for (SignedRequest request : requests()) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("the-other-key", otherKey());
            keys.put(request.kid(), request.key());
            assertAccepted(verifier(keys), request, request.head());
        }
    }

    /** Changes each character of all headers, and compares what differs in accepted requests. */
    @Test
    void claimsThenSayWhatTheSignatureCovers() {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            Set<Part> changeable = EnumSet.noneOf(Part.class);
            request.headers()
                    .forEach((name, lines) -> changes(lines.get(0)).forEach(changed -> {
                        RequestHead head = request.with(name, List.of(changed));
                        if (refusal(verifier, head, request.body(), name + ": " + changed)
                                .isEmpty()) {
                            WebhookClaims claims = verifier.examine(head).claims();
                            parts(request.claims()).forEach((part, value) -> {
                                if (!Objects.equals(value, parts(claims).get(part))) {
                                    changeable.add(part);
                                }
                            });
                        }
                    }));
            Set<Part> unsigned = EnumSet.noneOf(Part.class);
            unsigned.addAll(parts(request.claims()).keySet());
            unsigned.removeAll(request.claims().signed());
            assertEquals(unsigned, changeable, "what can change although " + request + " is signed");
        }
    }

    @Test
    void verifyWhenThreadsShareItThenEachGetsItsResult() throws InterruptedException, ExecutionException {
        for (SignedRequest request : requests()) {
            Verifier verifier = verifier(request);
            byte[] other = Arrays.copyOf(request.body(), request.body().length + 1);
            Callable<@Nullable Void> alternating = () -> {
                for (int i = 0; i < 100; i++) {
                    assertAccepted(verifier, request, request.head());
                    assertEquals(
                            Optional.of(WebhookErrorCode.BAD_SIGNATURE),
                            refusal(verifier, request.head(), other, "a changed body"));
                }
                return null;
            };
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                for (Future<?> result : threads.invokeAll(Collections.nCopies(THREADS, alternating))) {
                    result.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private Verifier verifier(SignedRequest request) {
        return verifier(Map.of(request.kid(), request.key()));
    }

    private Verifier verifier(Map<String, String> keys) {
        Map<String, SecretBytes> secrets = new LinkedHashMap<>();
        keys.forEach((kid, key) -> secrets.put(kid, SecretBytes.copyOf(key.getBytes(UTF_8))));
        return scheme().verifier(secrets);
    }

    private static Match verified(Verifier verifier, RequestHead head, byte[] body) {
        Presented presented = verifier.examine(head);
        presented.requireKnownKey();
        return presented.verify(body);
    }

    private static void assertAccepted(Verifier verifier, SignedRequest request, RequestHead head) {
        try {
            assertEquals(request.kid(), verified(verifier, head, request.body()).kid(), "the key that matches");
        } catch (WebhookException e) {
            fail(request + " was refused", e);
        }
    }

    private static void assertRefused(Verifier verifier, SignedRequest request, RequestHead head, String change) {
        if (refusal(verifier, head, request.body(), change).isEmpty()) {
            fail(request + " was accepted with " + change);
        }
    }

    /** Returns why a request is refused; empty if it is accepted. */
    private static Optional<WebhookErrorCode> refusal(Verifier verifier, RequestHead head, byte[] body, String change) {
        try {
            verified(verifier, head, body);
            return Optional.empty();
        } catch (WebhookException e) {
            return Optional.of(e.errorCode());
        } catch (RuntimeException e) {
            return fail("A scheme must throw only WebhookException, also with " + change, e);
        }
    }

    private static RequestHead named(SignedRequest request, UnaryOperator<String> naming) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        request.headers().forEach((name, lines) -> headers.put(naming.apply(name), lines));
        return new RequestHead(request.url(), headers);
    }

    /** Returns the text with each of its characters changed, and with each of them removed. */
    private static Stream<String> changes(String text) {
        return IntStream.range(0, text.length()).boxed().flatMap(i -> {
            String before = text.substring(0, i);
            String after = text.substring(i + 1);
            return Stream.of(before + (text.charAt(i) == '5' ? '6' : '5') + after, before + after);
        });
    }

    private static String randomText(SplittableRandom random) {
        int length = random.nextInt(200);
        int limit = random.nextBoolean() ? 0x80 : 0x10000;
        return random.ints(length, 0, limit)
                .collect(StringBuilder::new, (text, character) -> text.append((char) character), StringBuilder::append)
                .toString();
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "… (" + text.length() + " characters)";
    }

    private static Map<Part, Object> parts(WebhookClaims claims) {
        Map<Part, Object> parts = new TreeMap<>();
        if (claims.id() != null) {
            parts.put(Part.ID, claims.id());
        }
        if (claims.type() != null) {
            parts.put(Part.TYPE, claims.type());
        }
        if (claims.timestamp() != null) {
            parts.put(Part.TIMESTAMP, claims.timestamp());
        }
        return parts;
    }
}
