package io.credential.spring.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.FileSystemUtils;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

/** A {@link ConsoleHost} on Tomcat with its database, its {@link ConsoleData} and a receiver of its webhooks. */
final class RunningConsole implements AutoCloseable {

    /** On the day on which Berlin turns its clocks back from 3 to 2 o'clock, at 01:00 UTC. */
    private static final Instant START = Instant.parse("2026-10-25T00:57:30Z");

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = new MutableClock(START);
    private final Path directory;
    private final WebhookReceiver receiver;
    private final ConfigurableApplicationContext context;
    private final ConsoleData data;
    private final Mount mount;

    private RunningConsole(Mount mount) throws IOException {
        this.mount = mount;
        directory = Files.createTempDirectory("credential-console");
        receiver = new WebhookReceiver();
        context = new SpringApplicationBuilder(ConsoleHost.class)
                .properties(properties(mount, directory))
                .initializers((GenericApplicationContext initialized) -> register(initialized))
                .run();
        data = new ConsoleData(
                context.getBean(WebhookDispatcher.class),
                context.getBean(ApiKeyRegistries.class).get("live"),
                receiver,
                clock);
    }

    static RunningConsole start(Mount mount) {
        try {
            return new RunningConsole(mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what an application with a console in it has configured, apart from its clock and its database. */
    static Map<String, Object> properties(Mount mount, Path directory) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "server.port", "0",
                "server.forward-headers-strategy", "framework",
                "server.servlet.context-path", mount.contextPath,
                // Browsers send cookies to every port of a host.
                "server.servlet.session.cookie.name", "SESSION_" + mount,
                "spring.main.banner-mode", "off",
                "credential.console.enabled", "true",
                "credential.keyring.location", "file:" + directory.resolve("keyring.json"),
                "credential.audit.jdbc.enabled", "true",
                "credential.api-keys.registries.live.prefix", "bk",
                "credential.api-keys.require-https", "false"));
        if (!mount.servletPath.isEmpty()) {
            properties.put("spring.mvc.servlet.path", mount.servletPath);
        }
        properties.putAll(Map.of(
                "credential.webhook.inbound.partner.paths", "/hooks/partner",
                "credential.webhook.inbound.partner.allow-unmapped", "true",
                "credential.webhook.inbound.partner.keys.v1", "a secret of the partner"));
        String dispatcher = "credential.webhook.dispatcher.";
        properties.putAll(Map.of(
                dispatcher + "allowed-cidrs", "127.0.0.1",
                dispatcher + "max-attempts", "1",
                // Outcomes do not depend on the speed of the machine.
                dispatcher + "dispatch-wait", "1m",
                dispatcher + "poll-interval", "1h",
                dispatcher + "request-timeout", "30m",
                dispatcher + "claim-reclaim-after", "2h"));
        return properties;
    }

    private void register(GenericApplicationContext initialized) {
        initialized.registerBean(
                "applicationDataSource",
                DataSource.class,
                database::dataSource,
                definition -> definition.setDestroyMethodName(""));
        initialized.registerBean(
                "clock",
                InstantSource.class,
                () -> clock,
                definition -> ((AbstractBeanDefinition) definition)
                        .addQualifier(new AutowireCandidateQualifier(CredentialClock.class)));
    }

    /** Returns the URL of the application, without a slash at its end. */
    String application() {
        return server() + mount.contextPath + mount.servletPath;
    }

    /** Returns the URL of the console, with a slash at its end. */
    String url() {
        return application() + "/credential/";
    }

    /** Returns the URL of the server, without a slash at its end. */
    String server() {
        return "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    ConsoleData data() {
        return data;
    }

    WebhookReceiver receiver() {
        return receiver;
    }

    RequestLog requests() {
        return context.getBean(RequestLog.class);
    }

    OpenSessions sessions() {
        return context.getBean(OpenSessions.class);
    }

    ProbeSection probe() {
        return context.getBean(ProbeSection.class);
    }

    @Override
    public void close() throws IOException {
        context.close();
        receiver.close();
        database.close();
        FileSystemUtils.deleteRecursively(directory);
    }
}
