package io.credential.benchmarks.rivals;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;

/**
 * Signs as Standard Webhooks 1.0.0 prescribe, with the {@link Mac} of the JDK, and waits for the response. The destination
 * is vetted once, not for each event as the dispatcher does. Thread-safe.
 */
final class SignedPosts implements Webhooks {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final SecretKeySpec key;
    private final CountedTransport transport;
    private final VettedDestination destination;

    SignedPosts(URI url, CountedTransport transport) {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
        this.transport = transport;
        try (DestinationVetter vetter = new DestinationVetter(policy(), HostResolver.system())) {
            this.destination = vetter.vet(url, TIMEOUT).join();
        }
    }

    static DestinationPolicy policy() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }

    @Override
    public void send(String id, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String timestamp = Long.toString(Instant.now().getEpochSecond());
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", timestamp);
        headers.put("webhook-signature", "v1," + signature(id + "." + timestamp + ".", bytes));
        WebhookResponse response = transport
                .send(new WebhookRequest(destination, headers, bytes, TIMEOUT))
                .join();
        if (!response.successful()) {
            throw new IllegalStateException("The receiver has answered " + response.status());
        }
    }

    private String signature(String prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(prefix.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
