package io.credential.benchmarks.crypto;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

/**
 * Signs and verifies with {@code pqc-pem}, beside the primitive with the same key and random bytes over the same bytes, so
 * that both need the same number of attempts for an ML-DSA signature.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls prepare
public class PqcBenchmark {

    private static final int BYTES = 1024;

    /** The attempts that a signature needs differ from body to body. */
    private static final int BODIES = 16;

    private static final String ID = "01JD5Y8M3XK7Q2V9T4B6N8R0WZ";
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    @Param({"ml-dsa-65", "ml-dsa-87", "slh-dsa-shake-256f"})
    public String algorithm;

    private final byte[][] bodies = new byte[BODIES][];
    private final List<Map<String, List<String>>> headers = new ArrayList<>();
    private final byte[][] signatures = new byte[BODIES][];
    private int next;
    private byte[] head;
    private WebhookSigner signer;
    private WebhookVerifier verifier;
    private BarePqc bare;

    @Setup
    public void prepare() throws IOException, CryptoException {
        bare = BarePqc.of(algorithm);
        AsymmetricCipherKeyPair pair = bare.keyPair();
        String publicKey = pem(
                "PUBLIC KEY",
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic())
                        .getEncoded());
        signer = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair(
                        "v1",
                        pem(
                                "PRIVATE KEY",
                                PrivateKeyInfoFactory.createPrivateKeyInfo(pair.getPrivate())
                                        .getEncoded()),
                        publicKey)
                .clock(InstantSource.fixed(NOW))
                .random(new ZeroRandom())
                .build();
        verifier = WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("v1", publicKey)
                .clock(InstantSource.fixed(NOW))
                .build();
        head = ("pqc-pem.v1." + NOW.getEpochSecond() + "." + ID + ".").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < BODIES; i++) {
            byte[] body = Payload.bytes(BYTES - i);
            bodies[i] = body;
            headers.add(Map.of(WebhookSigner.DEFAULT_HEADER, List.of(header(signer.sign(body, ID)))));
            signatures[i] = bare.sign(head, body);
        }
    }

    @Benchmark
    public SignedWebhook sign() {
        return signer.sign(bodies[index()], ID);
    }

    @Benchmark
    public byte[] signBare() throws CryptoException {
        return bare.sign(head, bodies[index()]);
    }

    @Benchmark
    public VerifiedWebhook verify() {
        int index = index();
        return verifier.verify(bodies[index], headers.get(index));
    }

    @Benchmark
    public boolean verifyBare() {
        int index = index();
        return bare.verify(head, bodies[index], signatures[index]);
    }

    private int index() {
        next = (next + 1) % BODIES;
        return next;
    }

    private static String header(SignedWebhook signed) {
        return Objects.requireNonNull(signed.headers().get(WebhookSigner.DEFAULT_HEADER));
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                .formatted(label, Base64.getMimeEncoder().encodeToString(der));
    }
}
