package io.credential.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** Calls the HTTP interface of the sample application and keeps the connections alive. Thread-safe. */
public final class SampleClient implements AutoCloseable {

    /** How many threads may use it at once. */
    public static final int CALLERS = 16;

    /** The sample closes connections that are idle for 20 s. */
    private static final Timeout REUSE_LIMIT = Timeout.ofSeconds(5);

    private static final String EVENT_TYPE = "order.created";
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private final String origin;
    private final @Nullable String key;
    private final CloseableHttpClient http = HttpClients.custom()
            .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnPerRoute(CALLERS)
                    .setMaxConnTotal(CALLERS)
                    .setDefaultConnectionConfig(ConnectionConfig.custom()
                            .setIdleTimeout(REUSE_LIMIT)
                            .build())
                    .build())
            .disableContentCompression()
            .disableCookieManagement()
            .disableAutomaticRetries() // a repeated call would look like a repeated delivery
            .build();

    /** @param key null sends none */
    public SampleClient(String origin, @Nullable String key) {
        this.origin = origin;
        this.key = key;
    }

    public void whoAmI() {
        call(ClassicRequestBuilder.get(origin + "/whoami"));
    }

    public void orders() {
        call(ClassicRequestBuilder.get(origin + "/orders"));
    }

    /** Returns the metrics in the format of Prometheus. */
    public String scrape() {
        return call(ClassicRequestBuilder.get(origin + "/actuator/prometheus"));
    }

    /** Makes the same call as {@link #whoAmI}, and returns whether the rate limit permitted it. */
    public boolean isPermitted() {
        try {
            return http.execute(authenticated(ClassicRequestBuilder.get(origin + "/whoami")), response -> {
                EntityUtils.consume(response.getEntity());
                if (response.getCode() != 200 && response.getCode() != 429) {
                    throw new IllegalStateException("The sample answered " + response.getCode());
                }
                return response.getCode() == 200;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String issueKey(String scope) {
        return keyOf(post("/keys", "{\"ownerId\":\"benchmark\",\"scopes\":[\"" + scope + "\"]}"));
    }

    /** @param limit how many requests the key permits in a day */
    public String issueLimitedKey(int limit) {
        return keyOf(post("/keys", """
                {"ownerId":"benchmark","rateLimit":{"limit":%d,"windowSeconds":86400}}""".formatted(limit)));
    }

    private static String keyOf(String issued) {
        Matcher matcher = KEY.matcher(issued);
        if (!matcher.find()) {
            throw new IllegalStateException("The sample issued no key");
        }
        return matcher.group(1);
    }

    /** Registers an endpoint for the events that {@link #send} sends. */
    public void register(String endpointId, URI url) {
        post("/endpoints", """
                {"endpointId":"%s","url":"%s","eventTypes":["%s"],"secret":"a secret of the benchmark"}""".formatted(endpointId, url, EVENT_TYPE));
    }

    public void remove(String endpointId) {
        call(ClassicRequestBuilder.delete(origin + "/endpoints/" + endpointId));
    }

    /** Sends an event. */
    public void send(int number, Mode mode) {
        ClassicRequestBuilder request = ClassicRequestBuilder.post(origin + "/events/" + EVENT_TYPE)
                .setEntity(NumberedPayload.sentNow(number).bytes(), ContentType.APPLICATION_JSON);
        if (mode == Mode.RESPOND_ASYNC) {
            request.addHeader("Prefer", "respond-async");
        }
        call(request);
    }

    /** Posts a webhook. */
    public void hook(String path, byte[] body, Map<String, String> headers) {
        ClassicRequestBuilder request =
                ClassicRequestBuilder.post(origin + path).setEntity(body, ContentType.APPLICATION_JSON);
        headers.forEach(request::addHeader);
        call(request);
    }

    private String post(String path, String json) {
        return call(ClassicRequestBuilder.post(origin + path).setEntity(json, ContentType.APPLICATION_JSON));
    }

    private String call(ClassicRequestBuilder request) {
        try {
            return http.execute(authenticated(request), response -> {
                String body = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
                if (response.getCode() >= 300) {
                    throw new IllegalStateException("The sample answered " + response.getCode() + " " + body);
                }
                return body;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClassicHttpRequest authenticated(ClassicRequestBuilder request) {
        return key == null
                ? request.build()
                : request.addHeader("X-API-Key", key).build();
    }

    @Override
    public void close() {
        try {
            http.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the response waits for the first attempts. */
    public enum Mode {
        PLAIN,
        RESPOND_ASYNC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
