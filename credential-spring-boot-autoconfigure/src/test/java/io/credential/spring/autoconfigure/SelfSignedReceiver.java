package io.credential.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Receives webhooks as {@code https://hooks.example.com} on the loopback address. It signed its certificate itself, so
 * that only those trust it who have its key store.
 */
public final class SelfSignedReceiver implements AutoCloseable {

    private static final String PASSWORD = "changeit";
    private static final String BUNDLE = "spring.ssl.bundle.jks.partner.truststore.";

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private final List<String> protocols = new CopyOnWriteArrayList<>();
    private final HttpsServer server;

    /** Starts a receiver with the certificate of this key store. */
    public SelfSignedReceiver(Path keyStore) throws IOException {
        JksSslStoreDetails keys =
                JksSslStoreDetails.forLocation("file:" + keyStore).withPassword(PASSWORD);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(
                SslBundle.of(new JksSslStoreBundle(keys, null)).createSslContext()));
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Makes a key store with a certificate. */
    public static Path keyStore(Path directory) throws IOException {
        Path keyStore = directory.resolve("receiver.p12");
        Path log = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder((Path.of(System.getProperty("java.home"), "bin", "keytool")
                                + " -genkeypair -alias receiver -keyalg EC -dname CN=receiver -validity 2"
                                + " -ext SAN=dns:hooks.example.com -storetype PKCS12 -storepass " + PASSWORD
                                + " -keystore " + keyStore)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(Patience.exitValue(keytool)).as(() -> read(log)).isZero();
        return keyStore;
    }

    /** The properties of the SSL bundle {@code partner}, which trusts the certificate. */
    public static String[] bundle(Path keyStore) {
        return new String[] {BUNDLE + "location=file:" + keyStore, BUNDLE + "password=" + PASSWORD};
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        protocols.add(((HttpsExchange) exchange).getSSLSession().getProtocol());
        signatures.add(exchange.getRequestHeaders().getFirst("Webhook-Signature"));
        exchange.getRequestBody().readAllBytes();
        Integer status = answers.poll();
        exchange.sendResponseHeaders(status == null ? 200 : status, -1);
        exchange.close();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public URI url() {
        return URI.create("https://hooks.example.com:" + port() + "/hook");
    }

    /** Answers the next requests with these statuses, and all others with 200. */
    public void answerNext(List<Integer> statuses) {
        answers.addAll(statuses);
    }

    public List<String> signatures() {
        return signatures;
    }

    public List<String> protocols() {
        return protocols;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
