package io.credential.benchmarks.crypto;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;

import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorVerification;

/**
 * Signs and verifies in the style of payment processors, beside client libraries that do the same with HMAC-SHA-256. These get
 * the payload as a string, which saves them the decoding. All look at the clock.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls prepare
public class ProcessorBenchmark {

    private static final String SECRET = "a secret of at least 24 bytes, for all";
    private static final String ID = "msg_2Lh9KRb0pzN4LePd3XiA4v12Axj";
    private static final long TOLERANCE_SECONDS = 300;

    @Param({"100", "1024", "65536"})
    public int bytes;

    private byte[] head;
    private byte[] body;
    private String text;
    private ProcessorSignature processor;
    private com.standardwebhooks.Webhook standardWebhooks;
    private com.svix.Webhook svix;
    private Mac jdk;
    private String processorHeader;
    private Map<String, List<String>> standardHeaders;
    private HttpHeaders svixHeaders;

    @Setup
    public void prepare() throws Exception {
        text = Payload.text(bytes);
        body = Payload.bytes(bytes);
        byte[] key = SECRET.getBytes(StandardCharsets.UTF_8);
        String encodedKey = Base64.getEncoder().encodeToString(key);
        long now = now();
        processor = ProcessorSignature.builder().secret(SECRET).build();
        processorHeader = processor.sign(body, now);
        standardWebhooks = new com.standardwebhooks.Webhook(encodedKey);
        standardHeaders = Map.of(
                "webhook-id", List.of(ID),
                "webhook-timestamp", List.of(Long.toString(now)),
                "webhook-signature", List.of(standardWebhooks.sign(ID, now, text)));
        svix = new com.svix.Webhook(encodedKey);
        svixHeaders = HttpHeaders.of(
                Map.of(
                        "svix-id", List.of(ID),
                        "svix-timestamp", List.of(Long.toString(now)),
                        "svix-signature", List.of(svix.sign(ID, now, text))),
                (name, value) -> true);
        head = (now + ".").getBytes(StandardCharsets.US_ASCII);
        jdk = Mac.getInstance("HmacSHA256");
        jdk.init(new SecretKeySpec(key, "HmacSHA256"));
    }

    @Benchmark
    public String sign() {
        return processor.sign(body);
    }

    @Benchmark
    public String signStripe() throws GeneralSecurityException {
        return Webhook.Signature.generateSignatureHeader(text, SECRET, now());
    }

    @Benchmark
    public String signStandardWebhooks() throws Exception {
        return standardWebhooks.sign(ID, now(), text);
    }

    @Benchmark
    public String signSvix() throws Exception {
        return svix.sign(ID, now(), text);
    }

    @Benchmark
    public ProcessorVerification verify() {
        return processor.verify(processorHeader, body);
    }

    @Benchmark
    public boolean verifyStripe() throws SignatureVerificationException {
        return Webhook.Signature.verifyHeader(text, processorHeader, SECRET, TOLERANCE_SECONDS);
    }

    @Benchmark
    public String verifyStandardWebhooks() throws Exception {
        standardWebhooks.verify(text, standardHeaders);
        return text;
    }

    @Benchmark
    public String verifySvix() throws Exception {
        svix.verify(text, svixHeaders);
        return text;
    }

    /** The provider with hardware support; those in pure Java are slower by far. */
    @Benchmark
    public byte[] jdk() {
        jdk.update(head);
        return jdk.doFinal(body);
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }
}
