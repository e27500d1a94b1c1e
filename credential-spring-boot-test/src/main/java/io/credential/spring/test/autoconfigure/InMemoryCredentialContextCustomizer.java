package io.credential.spring.test.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.FileSystemUtils;

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
                .addFirst(new MapPropertySource(
                        NAME,
                        Map.of(
                                "credential.mode", "single",
                                "credential.api-keys.rate-limits.store", "memory",
                                "credential.keyring.location", "ephemeral:",
                                "credential.storage.path",
                                        directory.resolve("credential.db").toString(),
                                "credential.storage.schema", "migrate",
                                "credential.webhook.dispatcher.allowed-cidrs", "127.0.0.0/8,::1/128",
                                // Longer than any attempt takes, so that results do not depend on the machine.
                                "credential.webhook.dispatcher.dispatch-wait", "1m")));
    }
}
