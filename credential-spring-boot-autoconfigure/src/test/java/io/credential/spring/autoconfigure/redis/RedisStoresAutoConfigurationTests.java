package io.credential.spring.autoconfigure.redis;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.spring.internal.redis.TestRedis;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** {@code nonce-store: redis}, on a real server. */
class RedisStoresAutoConfigurationTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef";
    private static final String PARTNER = "credential.webhook.inbound.partner.";
    private static final String[] PROPERTIES = {
        PARTNER + "paths=/hook", PARTNER + "keys.v1=" + SECRET, PARTNER + "nonce-store=redis"
    };

    private static TestRedis redis;

    private final ApplicationContextRunner runner = StarterRunner.bare()
            .withConfiguration(
                    AutoConfigurations.of(WebhookAutoConfiguration.class, RedisStoresAutoConfiguration.class))
            .withPropertyValues(PROPERTIES);

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new TestRedis();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @Test
    void verifyWhenNodesShareTheServerThenAcceptsOnce() {
        onRedis("redis").run(first -> {
            SignedWebhook signed = signed();
            assertThat(partner(first).verify(BODY, lines(signed)).id()).isEqualTo(signed.id());
            assertThat(first).doesNotHaveBean(CredentialDatabase.class);

            onRedis("redis")
                    .run(second -> assertThatExceptionOfType(WebhookException.class)
                            .isThrownBy(() -> partner(second).verify(BODY, lines(signed)))
                            .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/replay")));
        });
    }

    @Test
    void verifyWhenOneOfSeveralFactoriesIsPrimaryThenUsesIt() throws IOException {
        try (TestRedis primary = new TestRedis()) {
            Set<String> before = redis.keys();
            onRedis("own")
                    .withBean(
                            "other",
                            RedisConnectionFactory.class,
                            primary::newConnections,
                            definition -> definition.setPrimary(true))
                    .run(context -> partner(context).verify(BODY, lines(signed())));

            assertThat(primary.keys()).anyMatch(key -> key.startsWith("credential:nonce:"));
            assertThat(redis.keys()).isEqualTo(before);
        }
    }

    @Test
    void startWhenNoConnectionFactoryIsPrimaryThenFails() {
        onRedis("own")
                .withBean("other", RedisConnectionFactory.class, redis::newConnections)
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .isEqualTo("The property 'credential.webhook.inbound.partner.nonce-store' is 'redis', but there"
                                + " are several beans of type RedisConnectionFactory and none is primary."));
    }

    @Test
    void startWhenThereIsNoConnectionFactoryThenFails() {
        runner.run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription())
                    .isEqualTo("The property 'credential.webhook.inbound.partner.nonce-store' is 'redis', but there is"
                            + " no bean of type RedisConnectionFactory.");
            assertThat(analysis.getAction())
                    .contains("spring-boot-starter-data-redis", "'jdbc', or on a single node to 'memory'");
        });
    }

    @Test
    void startWhenRedisIsNotOnTheClassPathThenFails() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription())
                            .isEqualTo("The property 'credential.webhook.inbound.partner.nonce-store' is 'redis', but"
                                    + " Spring Data Redis is not on the class path.");
                    assertThat(analysis.getAction()).contains("spring-boot-starter-data-redis");
                });
    }

    @Test
    void startWhenProcessorHasNoConnectionFactoryThenFails() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        WebhookAutoConfiguration.class,
                        RedisStoresAutoConfiguration.class))
                .withPropertyValues(PROPERTIES)
                .withPropertyValues(PARTNER + "algorithm=hmac-sha256-processor")
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("'credential.webhook.inbound.partner.nonce-store'"));
    }

    @Test
    void verifyWhenRedisIsAbsentThenOtherStoresWork() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
                .withPropertyValues(PARTNER + "nonce-store=memory")
                .run(context -> assertThat(
                                partner(context).verify(BODY, lines(signed())).kid())
                        .isEqualTo("v1"));
    }

    @Test
    void verifyWhenInATestSliceThenNothingIsAccepted() {
        StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
                .withPropertyValues(PROPERTIES)
                .run(context -> assertThatExceptionOfType(NonceStoreException.class)
                        .isThrownBy(() -> partner(context).verify(BODY, lines(signed())))
                        .havingCause()
                        .withMessageContaining("No Redis"));
    }

    private ApplicationContextRunner onRedis(String name) {
        return runner.withBean(name, RedisConnectionFactory.class, redis::newConnections);
    }

    private static WebhookVerifier partner(ApplicationContext context) {
        return context.getBean(WebhookVerifiers.class).get("partner");
    }

    private static SignedWebhook signed() {
        return WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .build()
                .sign(BODY);
    }

    private static Map<String, List<String>> lines(SignedWebhook signed) {
        return Map.of("webhook-signature", List.of(signed.headers().get("Webhook-Signature")));
    }
}
