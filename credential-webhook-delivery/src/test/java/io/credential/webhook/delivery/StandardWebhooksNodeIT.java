package io.credential.webhook.delivery;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.seal.internal.Keyring;
import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.NodeProject;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A receiver in Node.js verifies what the dispatcher sends: {@code v1} with the npm library of Standard Webhooks, and
 * {@code v1a}, which that library lacks, with Node.js. The library has no clock to set, so the dispatcher uses that of the
 * system.
 */
class StandardWebhooksNodeIT {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String PRIVATE_KEY =
            "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    private static final String BODY = "{\"item\":\"K\u00e4se\"}";
    private static final String REFUSAL = "WebhookVerificationError: No matching signature found";
    private static final String PORT = "port ";

    @TempDir
    private static Path directory;

    private static NodeProject project;

    private final HttpClient client = HttpClient.newHttpClient();

    private final ChildProcess receiver;
    private final String url;
    private final TestDatabase database;
    private final JdbcWebhookDispatcher dispatcher;

    @BeforeAll
    static void installLibrary() {
        project = NodeProject.install("/standardwebhooks", directory);
    }

    StandardWebhooksNodeIT() {
        project.assumeInstalled();
        this.receiver = ChildProcess.start(project.script());
        String port = receiver.awaitLines(1, StandardWebhooksNodeIT::isPort)
                .lines(StandardWebhooksNodeIT::isPort)
                .get(0);
        this.url = "http://127.0.0.1:" + port.substring(PORT.length()) + "/";
        this.database = TestDatabase.create(DatabaseKind.SQLITE);
        this.dispatcher = DispatcherFixture.builder(
                        database.database(), Keyring.generate(new SecureRandom()), InstantSource.system())
                .dispatchWait(Duration.ofMinutes(1)) // longer than any attempt
                .build();
        dispatcher.declareSchema();
    }

    @AfterEach
    void close() {
        dispatcher.close();
        database.close();
        receiver.close();
    }

    @Test
    void deliveryWhenSecretIsGeneratedThenNodeVerifies() throws Exception {
        Endpoint endpoint =
                dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret("shop", url, List.of("*"))
                        .scheme(SignatureScheme.STANDARD_WEBHOOKS));
        receiverHas(endpoint.secret());

        assertAccepted(attempt());
    }

    @Test
    void deliveryWhenReceiverHasAnotherSecretThenRefused() throws Exception {
        register(SECRET);
        receiverHas(OTHER_SECRET);

        assertRefused(attempt());
    }

    @Test
    void deliveryWhenBodyIsChangedThenNodeRefuses() throws Exception {
        register(SECRET);
        receiverHas(SECRET);

        assertBodyIsVerified(attempt());
    }

    @Test
    void deliveryWhenRotatedThenNodeVerifiesBoth() throws Exception {
        register(SECRET);
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        receiverHas(SECRET);
        assertAccepted(attempt());
        receiverHas(rotated.secret());
        assertAccepted(attempt());
    }

    @Test
    void deliveryWhenRotatedWithoutOverlapThenOldIsRefused() throws Exception {
        register(SECRET);
        dispatcher.rotateSecret("shop", SecretRotation.to(OTHER_SECRET).overlap(Duration.ZERO));

        receiverHas(SECRET);
        assertRefused(attempt());
        receiverHas(OTHER_SECRET);
        assertAccepted(attempt());
    }

    @Test
    void deliveryWhenPrivateKeyIsGivenThenNodeVerifies() throws Exception {
        receiverHas(register(PRIVATE_KEY).publicKey());

        assertBodyIsVerified(attempt());
    }

    @Test
    void deliveryWhenReceiverHasAnotherKeyThenRefused() throws Exception {
        receiverHas(register(PRIVATE_KEY).publicKey());
        dispatcher.rotateSecret("shop", SecretRotation.generated().overlap(Duration.ZERO));

        assertRefused(attempt());
    }

    /** Receivers can move from one kind of key to the other. */
    @Test
    void deliveryWhenRotatedToPrivateKeyThenVerifiesBoth() throws Exception {
        register(SECRET);
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.to(PRIVATE_KEY));

        receiverHas(SECRET);
        assertAccepted(attempt());
        receiverHas(rotated.publicKey());
        assertAccepted(attempt());
    }

    private Endpoint register(String secret) {
        return dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", url, secret, "*").scheme(SignatureScheme.STANDARD_WEBHOOKS));
    }

    /** Gives the receiver a secret or public key. */
    private void receiverHas(@Nullable String key) throws Exception {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(Objects.requireNonNull(key));
        assertThat(send(request().PUT(body)).statusCode()).isEqualTo(204);
    }

    /** Returns the attempt to deliver a new event. */
    private DeliveryAttempt attempt() {
        String id = dispatcher.dispatch("e", BODY).deliveries().get(0).deliveryId();
        return dispatcher.deliveries().attempts(id).get(0);
    }

    private static void assertAccepted(DeliveryAttempt attempt) {
        assertThat(attempt).returns(200, DeliveryAttempt::responseStatus).returns(BODY, DeliveryAttempt::responseBody);
    }

    private static void assertRefused(DeliveryAttempt attempt) {
        assertThat(attempt)
                .returns(401, DeliveryAttempt::responseStatus)
                .returns(REFUSAL, DeliveryAttempt::responseBody);
    }

    /** The same request is accepted again, and refused with another body. */
    private void assertBodyIsVerified(DeliveryAttempt attempt) throws Exception {
        assertAccepted(attempt);
        assertThat(repeated(attempt, BODY)).returns(200, HttpResponse::statusCode);
        assertThat(repeated(attempt, BODY + " "))
                .returns(401, HttpResponse::statusCode)
                .returns(REFUSAL, HttpResponse::body);
    }

    private HttpResponse<String> repeated(DeliveryAttempt attempt, String body) throws Exception {
        HttpRequest.Builder request = request().POST(HttpRequest.BodyPublishers.ofString(body));
        attempt.requestHeaders().forEach((name, value) -> {
            if (name.startsWith("webhook-")) {
                request.header(name, value);
            }
        });
        return send(request);
    }

    private HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create(url)).timeout(Patience.LIMIT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isPort(String line) {
        return line.startsWith(PORT);
    }
}
