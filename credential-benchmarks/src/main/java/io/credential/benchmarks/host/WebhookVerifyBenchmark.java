package io.credential.benchmarks.host;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;
import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.internal.GitHubSigner;

/**
 * Measures {@code POST} of a webhook of 2 KB to the host application with the starter, which verifies it in the scheme {@code
 * github} and audits it, without a nonce store. {@value #THREADS} threads call without a pause, and turns alternate. Argument:
 * {@code smoke}, {@code short} or none.
 *
 * <p>The yardstick is the same controller of the application with Spring Security, whose chain permits every request. Goal:
 * 0.7 of its requests per second.
 */
public final class WebhookVerifyBenchmark {

    static final String PATH = "/hooks/github";
    static final String SECRET = "a-secret-of-the-benchmark";

    private static final String RATE = ", requests/s";
    private static final double GOAL = 0.7;
    private static final int THREADS = 8;

    private WebhookVerifyBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("webhook", arguments, WebhookVerifyBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (HostDatabase database = HostDatabase.postgres();
                HostProcess permitting = new HostProcess(Variant.SECURITY, database);
                HostProcess verifying = new HostProcess(Variant.HOOKS, database);
                SampleClient bare = permitting.clientWithoutKey();
                SampleClient verified = verifying.clientWithoutKey()) {
            int calls = profile.choose(50, 10_000, 30_000);
            Turns.takeCold(profile.choose(0, 4, 4), round -> measure(bare, verified, calls, round));
            Turns turns = Turns.take(profile.choose(1, 5, 11), round -> measure(bare, verified, calls, round));
            table.ratioAtLeast("POST " + PATH, turns, Variant.HOOKS + RATE, Variant.SECURITY + RATE, GOAL);
        }
    }

    private static void measure(SampleClient bare, SampleClient verified, int calls, Turns turns) throws Exception {
        byte[] body = "x".repeat(2048).getBytes(StandardCharsets.US_ASCII);
        Map<String, String> headers = new GitHubSigner(
                        "X-Hub-Signature-256", SecretBytes.copyOf(SECRET.getBytes(StandardCharsets.US_ASCII)))
                .headers(body);
        turns.add(Variant.SECURITY + RATE, perSecond(bare, body, headers, calls));
        turns.add(Variant.HOOKS + RATE, perSecond(verified, body, headers, calls));
    }

    private static double perSecond(SampleClient client, byte[] body, Map<String, String> headers, int calls)
            throws Exception {
        return new Load(THREADS, calls, number -> client.hook(PATH, body, headers))
                .run()
                .perSecond();
    }
}
