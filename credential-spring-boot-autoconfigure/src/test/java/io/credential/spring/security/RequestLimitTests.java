package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.internal.FailedAttempts;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.testing.MutableClock;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** Rate limits and failed attempts of requests over HTTP. */
class RequestLimitTests {

    private static final String FAILURES = "credential.api-keys.failed-attempts.";
    private static final String ANOTHER = "bk_live_ffffffffffffffff_00112233445566778899aabbccddeeff";

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                FAILURES + "limit=3",
                FAILURES + "window=30s",
                "credential.api-keys.accept=live,free",
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.free.prefix=bk");
        host = application.context().getBean(Host.class);
        application.registries().issue("live", "orders:read").issue("free", "orders:read");
        application.registries().get("live").limit(new RateLimit(2, Duration.ofSeconds(60)));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** Ends every window. */
    @BeforeEach
    void waitForADay() {
        host.clock.advance(Duration.ofDays(1));
        application.registries().get("live").failWith(null);
        application.registries().get("live").quota(null);
        application.registries().get("free").quota(null);
        AuditQueues.drain(application.context());
        host.audited.clear();
    }

    private static HttpResponse<String> get(String token) {
        return application.get("/orders", "X-API-Key", token);
    }

    private static void fail(int times, String token) {
        for (int i = 0; i < times; i++) {
            assertThat(get(token).statusCode()).isEqualTo(401);
        }
    }

    private static List<String> audited(String reason) {
        AuditQueues.drain(application.context());
        return host.audited.stream()
                .filter(event -> reason.equals(event.reason()))
                .map(event -> event.name() + " " + event.outcome().text() + " " + event.resourceId())
                .toList();
    }

    @Test
    void getWhenWithinTheLimitThenShowsIt() {
        HttpResponse<String> response = get(token("live"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"default\";q=2;w=60");
        assertThat(response.headers().allValues("RateLimit")).containsExactly("\"default\";r=1;t=60");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void getWhenTheLimitIsReachedThenTooManyRequests() {
        get(token("live"));
        get(token("live"));
        host.clock.advance(Duration.ofMillis(29_500));

        HttpResponse<String> response = get(token("live"));

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"code\":\"api-key/rate-limited\"", "\"status\":429");
        assertThat(response.headers().firstValue("Retry-After")).contains("31");
        assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"default\";q=2;w=60");
        assertThat(response.headers().firstValue("RateLimit")).contains("\"default\";r=0;t=31");
        host.clock.advance(Duration.ofSeconds(31));
        assertThat(get(token("live")).statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenTheLimitIsReachedThenAuditedOnce() {
        for (int i = 0; i < 6; i++) {
            get(token("live"));
        }

        assertThat(audited("rate-limited")).containsExactly("apikey.authorize failure 0011223344556677");
        assertThat(host.audited)
                .filteredOn(event -> "rate-limited".equals(event.reason()))
                .allSatisfy(event -> assertThat(event.attributes()).isEqualTo(Map.of("namespace", "live")));
    }

    @Test
    void getWhenNothingLimitsTheKeyThenShowsNothing() {
        HttpResponse<String> response = get(token("free"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @Test
    void getWhenTheKeyHasItsOwnLimitThenItApplies() {
        application
                .registries()
                .get("free")
                .put(
                        token("free"),
                        FakeRegistries.limited("free", new RateLimit(7, Duration.ofSeconds(5)), "orders:read"));

        assertThat(get(token("free")).headers().firstValue("RateLimit")).contains("\"default\";r=6;t=5");
        application.registries().issue("free", "orders:read");
    }

    @Test
    void getWhenTheRequestFailsThenItIsCountedOnce() {
        application.get("/broken", "X-API-Key", token("live"));
        HttpResponse<String> second = application.get("/async", "X-API-Key", token("live"));

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.headers().firstValue("RateLimit")).contains("\"default\";r=0;t=60");
        assertThat(get(token("live")).statusCode()).isEqualTo(429);
    }

    @Test
    void getWhenTheScopeIsMissingThenItIsCounted() {
        application.registries().issue("live");
        assertThat(get(token("live")).statusCode()).isEqualTo(403);
        application.registries().issue("live", "orders:read");

        assertThat(get(token("live")).headers().firstValue("RateLimit")).contains("\"default\";r=0;t=60");
    }

    @Test
    void getWhenTheLimitCannotBeCheckedThenUnavailable() {
        host.storeFails = true;
        try {
            HttpResponse<String> response = get(token("live"));

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("\"code\":\"api-key/unavailable\"");
        } finally {
            host.storeFails = false;
        }
    }

    @Test
    void getWhenTheKeyHasAQuotaThenShowsBothLimits() {
        application.registries().get("live").quota(new Quota(5, Quota.Period.DAY, ZoneOffset.UTC));

        HttpResponse<String> response = get(token("live"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"default\";q=2;w=60", "\"quota\";q=5;w=86400");
        assertThat(response.headers().allValues("RateLimit"))
                .containsExactly("\"default\";r=1;t=60", "\"quota\";r=4;t=" + untilMidnight());
    }

    @Test
    void getWhenTheQuotaIsReachedThenTooManyRequests() {
        application.registries().get("free").quota(new Quota(1, Quota.Period.MONTH, ZoneId.of("Asia/Kathmandu")));
        host.clock.set(Instant.parse("2027-01-30T18:14:00Z"));
        assertThat(get(token("free")).statusCode()).isEqualTo(200);

        HttpResponse<String> response = get(token("free"));

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"code\":\"api-key/quota-exceeded\"", "\"status\":429");
        assertThat(response.headers().firstValue("Retry-After")).contains("86460");
        assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"quota\";q=1;w=2678400");
        assertThat(response.headers().firstValue("RateLimit")).contains("\"quota\";r=0;t=86460");
        assertThat(audited("quota-exceeded")).containsExactly("apikey.authorize failure 0011223344556677");
        host.clock.advance(Duration.ofMinutes(1441));
        assertThat(get(token("free")).statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenTheRateIsLimitedThenTheQuotaIsNotUsed() {
        application.registries().get("live").quota(new Quota(3, Quota.Period.DAY, ZoneOffset.UTC));
        get(token("live"));
        get(token("live"));
        for (int i = 0; i < 4; i++) {
            assertThat(get(token("live")).body()).contains("api-key/rate-limited");
        }
        host.clock.advance(Duration.ofSeconds(60));

        assertThat(get(token("live")).headers().allValues("RateLimit")).contains("\"quota\";r=0;t=" + untilMidnight());
        assertThat(get(token("live")).body()).contains("api-key/quota-exceeded");
    }

    @Test
    void getWhenTheQuotaCannotBeCheckedThenUnavailable() {
        application.registries().get("free").quota(new Quota(1, Quota.Period.DAY, ZoneOffset.UTC));
        host.storeFails = true;
        try {
            assertThat(get(token("free")).statusCode()).isEqualTo(503);
        } finally {
            host.storeFails = false;
        }
    }

    private static long untilMidnight() {
        long day = Duration.ofDays(1).toSeconds();
        return day - host.clock.instant().getEpochSecond() % day;
    }

    @Test
    void getWhenAddressFailedTooOftenThenRejectionsAre429() {
        fail(3, "nonsense");
        host.clock.advance(Duration.ofSeconds(10));

        HttpResponse<String> response = get(ANOTHER);

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"code\":\"api-key/too-many-failures\"");
        assertThat(response.headers().firstValue("Retry-After")).contains("20");
        assertThat(audited("too-many-failures")).containsExactly("apikey.verify failure null");
        host.clock.advance(Duration.ofSeconds(20));
        assertThat(get(ANOTHER).statusCode()).isEqualTo(401);
    }

    @Test
    void getWhenAddressFailedTooOftenThenValidKeysWork() {
        fail(3, "nonsense");

        assertThat(get(token("live")).statusCode()).isEqualTo(200);
        assertThat(get("nonsense").statusCode()).isEqualTo(429);
    }

    @Test
    void getWhenValidKeyIsLimitedThenItsOwnLimitIsNamed() {
        fail(3, "nonsense");
        get(token("live"));
        get(token("live"));

        assertThat(get(token("live")).body()).contains("api-key/rate-limited");
    }

    @Test
    void getWhenTheClientNamesAnotherAddressThenNotBelieved() {
        for (int i = 0; i < 3; i++) {
            application.get("/orders", "X-API-Key", "nonsense", "X-Forwarded-For", "192.0.2." + i);
        }

        assertThat(application
                        .get("/orders", "X-API-Key", "nonsense", "X-Forwarded-For", "192.0.2.9")
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void getWhenCredentialsAreAmbiguousThenCounted() {
        for (int i = 0; i < 3; i++) {
            assertThat(ambiguous().statusCode()).isEqualTo(401);
        }

        assertThat(ambiguous().statusCode()).isEqualTo(429);
        assertThat(get(token("live")).statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenKeysCannotBeVerifiedThenNotCounted() {
        application
                .registries()
                .get("live")
                .failWith(new ApiKeyException(ApiKeyErrorCode.UNAVAILABLE, "The database is gone"));
        for (int i = 0; i < 5; i++) {
            assertThat(get(token("live")).statusCode()).isEqualTo(503);
        }
        application.registries().get("live").failWith(null);

        assertThat(get("nonsense").statusCode()).isEqualTo(401);
    }

    @Test
    void getWhenThereIsNoKeyThenNeverCountedOrRefused() {
        for (int i = 0; i < 5; i++) {
            assertThat(application.get("/orders").statusCode()).isEqualTo(401);
        }
        assertThat(get(token("live")).statusCode()).isEqualTo(200);
        fail(3, "nonsense");
        assertThat(application.get("/orders").statusCode()).isEqualTo(401);
    }

    @Test
    void getWhenOthersFailWithKeyThenOwnerIsNotRefused() {
        failElsewhere("free/0011223344556677");

        assertThat(get(token("free")).statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenAllFailWithTheKeyThenItsRejectionsAre429() {
        fail(1, ANOTHER);
        failElsewhere("live/ffffffffffffffff");

        assertThat(get(ANOTHER).statusCode()).isEqualTo(429);
        assertThat(get("nonsense").statusCode()).isEqualTo(401);
        assertThat(get(token("live")).statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> ambiguous() {
        return application.get("/orders", "X-API-Key", token("live"), "Authorization", "Bearer something");
    }

    private static void failElsewhere(String key) {
        FailedAttempts attempts = Objects.requireNonNull(
                application.context().getBean(ApiKeySecuritySettings.class).failedAttempts());
        for (int i = 0; i < 3; i++) {
            attempts.failed("192.0.2.1", key);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        private final MutableClock clock = MutableClock.atNewYear();
        private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
        private final RateLimiter limiter = RateLimiter.inMemory(clock);
        private volatile boolean storeFails;

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live", "free");
        }

        @Bean
        @CredentialClock
        MutableClock clock() {
            return clock;
        }

        @Bean
        ApiKeyRateLimits rateLimits(FakeRegistries registries) {
            return new ApiKeyRateLimits(new FailingLimiter(), registries);
        }

        private final class FailingLimiter implements RateLimiter {

            @Override
            public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
                requireStore();
                return limiter.tryAcquire(bucket, limit);
            }

            @Override
            public QuotaDecision tryAcquire(String bucket, Quota quota) {
                requireStore();
                return limiter.tryAcquire(bucket, quota);
            }

            private void requireStore() {
                if (storeFails) {
                    throw new IllegalStateException("The store is gone");
                }
            }
        }

        @Bean
        AuditSink auditSink() {
            return audited::add;
        }
    }
}
