package io.credential.webhook.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

import io.credential.testing.Patience;

/** Certificates for {@code hooks.example.com}, and the two sides that use them. */
public final class TestCertificates {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final String RECEIVER = "receiver";
    private static final String AUTHORITY = "authority";

    private final KeyStore store;

    /** Makes a self-signed certificate. */
    public TestCertificates(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("receiver.p12");
        keytool(file, RECEIVER, "-dname", "CN=receiver", "-ext", "SAN=dns:hooks.example.com", "-validity", "2");
        store = load(file);
    }

    private TestCertificates(KeyStore store) {
        this.store = store;
    }

    /**
     * Makes one that an authority has issued, and that has expired: the JDK checks no dates of a certificate that it
     * trusts.
     */
    public static TestCertificates expired(Path directory)
            throws IOException, GeneralSecurityException, InterruptedException {
        return issued(directory.resolve("expired.p12"), "-startdate", "-10d", "-validity", "2");
    }

    /** Makes one that an authority has issued for clients. */
    public static TestCertificates ofClient(Path directory)
            throws IOException, GeneralSecurityException, InterruptedException {
        return issued(directory.resolve("client.p12"), "-validity", "2", "-ext", "eku=clientAuth");
    }

    private static TestCertificates issued(Path file, String... arguments)
            throws IOException, GeneralSecurityException, InterruptedException {
        keytool(file, AUTHORITY, "-dname", "CN=authority", "-ext", "bc:c", "-validity", "2");
        List<String> all = new ArrayList<>(
                List.of("-signer", AUTHORITY, "-dname", "CN=receiver", "-ext", "SAN=dns:hooks.example.com"));
        all.addAll(List.of(arguments));
        keytool(file, RECEIVER, all.toArray(String[]::new));
        return new TestCertificates(load(file));
    }

    private static void keytool(Path file, String alias, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString()));
        command.addAll(List.of(arguments));
        Path log = file.resolveSibling("keytool.log");
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (Patience.exitValue(keytool) != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    public SSLContext server() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    public SSLServerSocket serverSocket() throws GeneralSecurityException, IOException {
        return (SSLServerSocket)
                server().getServerSocketFactory().createServerSocket(0, 10, Sending.address("127.0.0.1"));
    }

    public SSLContext client() throws GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try {
            trusted.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        Certificate[] chain = store.getCertificateChain(RECEIVER);
        trusted.setCertificateEntry("trusted", chain[chain.length - 1]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
