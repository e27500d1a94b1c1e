package io.credential.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.credential.sample.Api.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** The packaged jar, started with the code that the build generated ahead of time. */
class AotSampleIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_[0-9a-f]{16}_[0-9a-f]{32}");
    private static final String EVENT = "{\"item\":\"kettle\"}";

    @Test
    void startThenIssuesChecksAndDelivers(@TempDir Path directory) throws IOException {
        Map<String, String> environment = Map.of(
                "CREDENTIAL_WEBHOOK_DISPATCHER_ALLOWINTERNALDESTINATIONS",
                "true",
                "CREDENTIAL_WEBHOOK_DISPATCHER_DISPATCHWAIT",
                "1m"); // longer than any attempt takes
        try (Partner partner = new Partner();
                PackagedSample sample =
                        PackagedSample.startProcessedIn(directory, environment).awaitStarted()) {
            assertThat(sample.text()).contains("Starting AOT-processed SampleApplication");
            Api admin = sample.api().with(sample.await(TOKEN).group());

            Answer issued = admin.post(
                    "/keys", Map.of("ownerId", "customer", "scopes", List.of("orders:read", "orders:write")));
            assertThat(issued.status()).as(issued.body()).isEqualTo(201);
            Api customer = admin.with(issued.text("key"));
            assertThat(customer.get("/whoami").status()).isEqualTo(200);
            assertThat(customer.get("/keys").status()).isEqualTo(403);
            assertThat(customer.withoutKey().get("/whoami").status()).isEqualTo(401);
            assertThat(customer.withoutKey().postText("/hooks/partner", EVENT).status())
                    .isEqualTo(401);

            Answer registered = admin.post(
                    "/endpoints",
                    Map.of(
                            "endpointId",
                            "partner",
                            "url",
                            partner.url("/hook"),
                            "eventTypes",
                            List.of("order.shipped", "order.created"),
                            "secret",
                            "a secret of endpoint and sender"));
            assertThat(registered.status()).as(registered.body()).isEqualTo(201);
            Answer dispatched = admin.postText("/events/order.shipped", EVENT);
            assertThat(dispatched.json().path("delivered").asInt())
                    .as(dispatched.body())
                    .isEqualTo(1);
            assertThat(partner.webhooks("/hook"))
                    .singleElement()
                    .satisfies(webhook -> assertThat(webhook.body()).isEqualTo(EVENT));

            Answer order = customer.postText("/orders", EVENT);
            assertThat(order.status()).as(order.body()).isEqualTo(201);
            assertThat(customer.get("/orders").json().valueStream()).containsExactly(order.json());
            assertThat(admin.get("/deliveries?eventType=order.created").json().size())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "CREDENTIAL_MODE | cluster | 'credential.mode' (single at build time, cluster now)",
                "SPRING_DATASOURCE_URL | jdbc:postgresql://localhost/app | 'spring.datasource.url' is set"
            })
    void startWhenConditionDiffersThenFails(String variable, String value, String difference, @TempDir Path directory) {
        try (PackagedSample sample = PackagedSample.startProcessedIn(directory, Map.of(variable, value))) {
            assertThat(sample.awaitEnd()).isNotZero();
            assertThat(sample.text()).contains("APPLICATION FAILED TO START", difference);
        }
        assertThat(directory).isEmptyDirectory();
    }
}
