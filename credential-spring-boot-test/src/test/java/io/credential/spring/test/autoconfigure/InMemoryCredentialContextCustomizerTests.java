package io.credential.spring.test.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.AnnotationConfigContextLoader;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.properties.CredentialProperties;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryCredentialContextCustomizerTests {

    private static @Nullable ContextCustomizer customizer(Class<?> testClass) {
        return new InMemoryCredentialContextCustomizerFactory().createContextCustomizer(testClass, List.of());
    }

    @Test
    void factoryThenCustomizesAnnotatedTestsAlike() {
        assertThat(customizer(Annotated.class)).isNotNull().isEqualTo(customizer(Inheriting.class));
        assertThat(customizer(Plain.class)).isNull();
    }

    @Test
    void contextWhenClosedThenDirectoryIsDeleted() {
        Path directory;
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Plain.class);
            Objects.requireNonNull(customizer(Annotated.class))
                    .customizeContext(
                            context,
                            new MergedContextConfiguration(
                                    Plain.class, null, null, null, new AnnotationConfigContextLoader()));
            context.refresh();
            directory = Path.of(context.getBean(CredentialProperties.class)
                            .storage()
                            .path())
                    .getParent();
            assertThat(directory).isDirectory();
        }

        assertThat(directory).doesNotExist();
    }

    @AutoConfigureInMemoryCredential
    private static class Annotated {}

    private static final class Inheriting extends Annotated {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CredentialAutoConfiguration.class)
    static class Plain {}
}
