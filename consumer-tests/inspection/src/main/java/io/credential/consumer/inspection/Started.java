package io.credential.consumer.inspection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts an application as its main method does. */
public final class Started {

    private Started() {}

    /** Starts an application that keeps its files in a folder; a web server listens on any port. */
    public static ConfigurableApplicationContext in(Path folder, Class<?> type, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("server.port=0");
        all.add("credential.storage.path=" + folder.resolve("credential.db"));
        all.add("credential.keyring.location=file:" + folder.resolve("keyring.json"));
        return new SpringApplicationBuilder(type)
                .properties(all.toArray(String[]::new))
                .run();
    }
}
