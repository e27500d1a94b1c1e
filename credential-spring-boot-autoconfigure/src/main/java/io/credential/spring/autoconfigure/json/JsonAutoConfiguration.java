package io.credential.spring.autoconfigure.json;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import tools.jackson.databind.JacksonModule;

/**
 * Lets controllers return the core's public types as JSON, and accept its enums as request parameters, for example
 * {@code ?status=in-flight}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class JsonAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JacksonModule.class)
    @ImportRuntimeHints(CredentialJacksonModule.Hints.class)
    static class Json {

        /** Spring Boot adds it to its mappers. It affects only types of Credential. */
        @Bean
        JacksonModule credentialJacksonModule() {
            return new CredentialJacksonModule();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(WebMvcConfigurer.class)
    static class Parameters {

        @Bean
        WebMvcConfigurer credentialParameters() {
            return new WebMvcConfigurer() {
                @Override
                public void addFormatters(FormatterRegistry registry) {
                    JsonTypes.present().stream()
                            .flatMap(types -> types.enums().stream())
                            .forEach(words -> register(registry, words));
                }
            };
        }

        private static <E extends Enum<E>> void register(FormatterRegistry registry, EnumWords<E> words) {
            registry.addConverter(String.class, words.type(), words);
        }
    }
}
