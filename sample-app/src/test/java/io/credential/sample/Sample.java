package io.credential.sample;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/** The application, running in this process on a free port. */
final class Sample implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private Sample(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Sample start(Map<String, String> properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off"));
        properties.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return new Sample(new SpringApplicationBuilder(SampleApplication.class).run(arguments.toArray(String[]::new)));
    }

    /** Starts the application with its SQLite file and its keyring in a directory. */
    static Sample startIn(Path directory, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("credential.storage.path", directory.resolve("credential.db").toString());
        all.put("credential.keyring.location", "file:" + directory.resolve("keyring.json"));
        return start(all);
    }

    Api api() {
        return new Api(port());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** On the database of the application. */
    JdbcClient jdbc() {
        return bean(JdbcClient.class);
    }

    /** The only bean of a type. */
    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** Lets keys be purged by requests only, and not in between. */
    void stopPurging() {
        bean(CredentialSchedule.class).stop();
    }

    /** Stops it before the end of the test; does nothing when it is stopped. */
    void stop() {
        context.close();
    }

    @Override
    public void close() {
        stop();
    }
}
