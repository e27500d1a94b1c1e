package io.credential.spring.autoconfigure.security;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.FakeRegistries;

import static org.assertj.core.api.Assertions.assertThat;

/** Which chains accept keys under each value of {@code credential.api-keys.install-in}. */
@ExtendWith(OutputCaptureExtension.class)
class InstallInTests {

    private static final String WARNING = "no security chain accepts their keys";

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DispatcherServletAutoConfiguration.class,
                    WebMvcAutoConfiguration.class,
                    SecurityAutoConfiguration.class,
                    UserDetailsServiceAutoConfiguration.class,
                    ServletWebSecurityAutoConfiguration.class,
                    SecurityFilterAutoConfiguration.class,
                    ApiKeySecurityAutoConfiguration.class))
            .withPropertyValues("spring.security.user.password=password")
            .withBean(FakeRegistries.class, () -> new FakeRegistries("live"));

    private static List<Boolean> accepting(ApplicationContext context) {
        return context.getBeanProvider(SecurityFilterChain.class)
                .orderedStream()
                .map(ApiKeyConfigurer::isInstalledIn)
                .toList();
    }

    @Test
    void defaultWhenThereIsNoOwnChainThenAccepted(CapturedOutput output) {
        application.run(context -> assertThat(accepting(context)).containsExactly(true));
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void defaultWhenOwnChainsExistThenNotAcceptedAndWarned(CapturedOutput output) {
        application
                .withUserConfiguration(SilentChains.class)
                .run(context -> assertThat(accepting(context)).containsExactly(false, false));
        assertThat(output)
                .contains(WARNING)
                .contains("http.with(ApiKeyConfigurer.apiKeys()")
                .contains("credential.api-keys.install-in=every-chain");
    }

    @Test
    void everyChainWhenThereAreOwnChainsThenAccepted(CapturedOutput output) {
        application
                .withPropertyValues("credential.api-keys.install-in=every-chain")
                .withUserConfiguration(SilentChains.class)
                .run(context -> assertThat(accepting(context)).containsExactly(true, true));
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void noneWhenThereIsNoOwnChainThenNotAcceptedAndSilent(CapturedOutput output) {
        application
                .withPropertyValues("credential.api-keys.install-in=none")
                .run(context -> assertThat(accepting(context)).containsExactly(false));
        assertThat(output).doesNotContain(WARNING);
    }

    @ParameterizedTest
    @CsvSource({"default-chain,false", "every-chain,true", "none,false"})
    void chainWhenItSaysSoThenAcceptsOrNotUnderEveryValue(String installIn, boolean rest, CapturedOutput output) {
        application
                .withPropertyValues("credential.api-keys.install-in=" + installIn)
                .withUserConfiguration(SpeakingChains.class)
                .run(context -> assertThat(accepting(context)).containsExactly(true, false, rest));
        assertThat(output).doesNotContain(WARNING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default-chain", "every-chain"})
    void warningWhenThereIsNoRegistryThenNone(String installIn, CapturedOutput output) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SecurityAutoConfiguration.class,
                        ServletWebSecurityAutoConfiguration.class,
                        ApiKeySecurityAutoConfiguration.class))
                .withPropertyValues("credential.api-keys.install-in=" + installIn)
                .withUserConfiguration(SilentChains.class)
                .run(context -> assertThat(accepting(context)).containsExactly(false, false));
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void warningWhenBeansAreLazyThenStillGiven(CapturedOutput output) {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withUserConfiguration(SilentChains.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains(WARNING);
    }

    @Configuration(proxyBeanMethods = false)
    static class SilentChains {

        @Bean
        @Order(1)
        SecurityFilterChain admin(HttpSecurity http) {
            return http.securityMatcher("/admin/**").build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain rest(HttpSecurity http) {
            return http.build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SpeakingChains {

        @Bean
        @Order(1)
        SecurityFilterChain api(HttpSecurity http) {
            return http.securityMatcher("/api/**")
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain open(HttpSecurity http) {
            return http.securityMatcher("/open/**")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.disable())
                    .build();
        }

        @Bean
        @Order(3)
        SecurityFilterChain rest(HttpSecurity http) {
            return http.build();
        }
    }
}
