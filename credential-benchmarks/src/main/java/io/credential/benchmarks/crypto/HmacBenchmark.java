package io.credential.benchmarks.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.bouncycastle.crypto.digests.SHA3Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

/** Signs and verifies with {@code hmac-sha3-512}, beside a bare MAC of the same bytes on a reused instance. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls prepare
public class HmacBenchmark {

    private static final String KEY = "a key of 32 bytes, as recommended";

    @Param({"100", "1024", "65536"})
    public int bytes;

    private byte[] head;
    private byte[] body;
    private Map<String, List<String>> headers;
    private WebhookSigner signer;
    private WebhookVerifier verifier;
    private Mac jdk;
    private HMac bouncyCastle;

    @Setup
    public void prepare() throws GeneralSecurityException {
        body = Payload.bytes(bytes);
        signer = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .build();
        verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .build();
        SignedWebhook signed = signer.sign(body);
        String header = Objects.requireNonNull(signed.headers().get(WebhookSigner.DEFAULT_HEADER));
        headers = Map.of(WebhookSigner.DEFAULT_HEADER, List.of(header));
        head = ("hmac-sha3-512.v1." + signed.timestamp() + "." + signed.id() + ".").getBytes(StandardCharsets.US_ASCII);
        byte[] key = KEY.getBytes(StandardCharsets.UTF_8);
        jdk = Mac.getInstance("HmacSHA3-512", "SunJCE");
        jdk.init(new SecretKeySpec(key, "HmacSHA3-512"));
        bouncyCastle = new HMac(new SHA3Digest(512));
        bouncyCastle.init(new KeyParameter(key));
    }

    @Benchmark
    public SignedWebhook sign() {
        return signer.sign(body);
    }

    @Benchmark
    public VerifiedWebhook verify() {
        return verifier.verify(body, headers);
    }

    @Benchmark
    public byte[] jdk() {
        jdk.update(head);
        return jdk.doFinal(body);
    }

    @Benchmark
    public byte[] bouncyCastle() {
        bouncyCastle.update(head, 0, head.length);
        bouncyCastle.update(body, 0, body.length);
        byte[] mac = new byte[bouncyCastle.getMacSize()];
        bouncyCastle.doFinal(mac, 0);
        return mac;
    }
}
