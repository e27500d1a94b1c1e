package io.credential.spring.test.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.FileSystemUtils;

import io.credential.spring.autoconfigure.diagnostics.internal.Library;

/** Sets the properties of {@link AutoConfigureInMemoryCredential}. All instances are equal, so that contexts are cached. */
record InMemoryCredentialContextCustomizer() implements ContextCustomizer {

    private static final String NAME = "credentialInMemory";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        Path directory;
        try {
            directory = Files.createTempDirectory("credential-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Registered before all beans, and therefore deleted after they are destroyed.
        ((DefaultListableBeanFactory) context.getBeanFactory())
                .registerDisposableBean(NAME, () -> FileSystemUtils.deleteRecursively(directory));
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(NAME, properties(directory.resolve("credential.db"))));
    }

    /** A property whose library is missing would be refused. */
    private static Map<String, Object> properties(Path database) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("credential.mode", "single");
        properties.put("credential.keyring.location", "ephemeral:");
        properties.put("credential.storage.path", database.toString());
        properties.put("credential.storage.schema", "migrate");
        if (Library.API_KEYS.isPresent()) {
            properties.put("credential.api-keys.rate-limits.store", "memory");
        }
        if (Library.DISPATCHER.isPresent()) {
            properties.put("credential.webhook.dispatcher.allowed-cidrs", "127.0.0.0/8,::1/128");
            // Longer than any attempt takes, so that results do not depend on the machine.
            properties.put("credential.webhook.dispatcher.dispatch-wait", "1m");
        }
        return properties;
    }
}
