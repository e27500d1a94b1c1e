package io.credential.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** The receiver of all webhooks: a {@link ReceiverProcess}, so that it does not share the heap of what is measured. */
public final class BenchmarkReceiver implements AutoCloseable {

    private static final long POLL_MILLIS = 20;

    private final Process process;
    private final BufferedReader answers;
    private final String origin;

    private BenchmarkReceiver(Process process) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.origin = "http://127.0.0.1:" + answer();
    }

    public static BenchmarkReceiver start() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.inherited());
        command.addAll(List.of(
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), ReceiverProcess.class.getName()));
        return new BenchmarkReceiver(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** URLs that are answered and not counted. */
    public List<URI> bareUrls(int endpoints) {
        return urls(ReceiverProcess.BARE, endpoints);
    }

    /** URLs that are answered; what arrives there are {@linkplain NumberedPayload numbered payloads} to be counted. */
    public List<URI> countedUrls(int endpoints) {
        return urls(ReceiverProcess.COUNTED, endpoints);
    }

    /** A URL that is answered after a pause, and not counted. */
    public URI pausingUrl(Duration pause) {
        return URI.create(origin + ReceiverProcess.PAUSING + pause.toMillis());
    }

    /** A URL that accepts requests and never answers them. */
    public URI hangingUrl() {
        return URI.create(origin + ReceiverProcess.HANGING);
    }

    private List<URI> urls(String path, int endpoints) {
        return IntStream.range(0, endpoints)
                .mapToObj(i -> URI.create(origin + path + i))
                .toList();
    }

    public void reset() throws IOException {
        ask("reset");
    }

    public Arrivals.Summary summary() throws IOException {
        return Arrivals.Summary.parse(ask("summary"));
    }

    /** The numbers that have arrived at the first of the counted URLs. */
    public BitSet numbers() throws IOException {
        return BitSet.valueOf(Base64.getDecoder().decode(ask("numbers")));
    }

    /** Waits for this many distinct deliveries since the last reset. */
    public Arrivals.Summary await(long distinct) throws IOException, InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        Arrivals.Summary summary = summary();
        while (summary.distinct() < distinct) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "Only " + summary.distinct() + " of " + distinct + " deliveries have arrived");
            }
            Thread.sleep(POLL_MILLIS);
            summary = summary();
        }
        return summary;
    }

    private String ask(String command) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8)
                .append(command)
                .append('\n')
                .flush();
        return answer();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("The receiver has ended");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        process.onExit().join();
    }
}
