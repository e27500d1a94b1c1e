package io.credential.spring.console;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleSecurityCheckTests {

    private final WebApplicationContextRunner runner =
            ConsoleRunner.withSecurity().withPropertyValues(ConsoleRunner.ENABLED);

    @Test
    void startWhenFormLoginCoversThePathThenSucceeds() {
        runner.withUserConfiguration(FormLogin.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenDefaultChainCoversThePathThenSucceeds() {
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenSpringSecurityIsNotSetUpThenFails() {
        assertFails(ConsoleRunner.withoutSecurity().withPropertyValues(ConsoleRunner.ENABLED), "covers it.");
    }

    @Test
    void startWhenNoChainCoversThePathThenFails() {
        assertFails(runner.withUserConfiguration(OtherPath.class), "covers it.");
    }

    @Test
    void startWhenPathIsIgnoredThenFails() {
        assertFails(runner.withUserConfiguration(FormLogin.class, Ignored.class), "covers it.");
    }

    @Test
    void startWhenCsrfIsDisabledThenFails() {
        assertFails(
                runner.withUserConfiguration(CsrfDisabled.class),
                "protects it against CSRF (cross-site request forgery).");
    }

    @Test
    void startWhenCsrfIgnoresThePathThenFails() {
        assertFails(
                runner.withUserConfiguration(CsrfIgnored.class),
                "protects it against CSRF (cross-site request forgery): the chain ignores this path.");
    }

    @Test
    void startWhenCsrfIgnoresAnotherPathThenSucceeds() {
        runner.withUserConfiguration(CsrfIgnoredElsewhere.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenEverybodyIsPermittedThenFails() {
        assertFails(runner.withUserConfiguration(Permitted.class), "denies anonymous requests to it.");
    }

    @Test
    void startWhenNobodyIsAskedToLogInThenFails() {
        assertFails(runner.withUserConfiguration(NoRules.class), "denies anonymous requests to it.");
    }

    @Test
    void startWhenOnlyPostsArePermittedThenFails() {
        assertFails(runner.withUserConfiguration(PostsPermitted.class), "denies anonymous requests to it.");
    }

    @Test
    void startWhenServletHasAPathThenChecksBelowIt() {
        runner.withPropertyValues("spring.mvc.servlet.path=/srv")
                .withUserConfiguration(FormLogin.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertFails(
                runner.withPropertyValues("spring.mvc.servlet.path=/srv").withUserConfiguration(CsrfIgnored.class),
                "the chain ignores this path.");
    }

    @Test
    void startWhenPathIsConfiguredThenChecksThat() {
        assertThat(messageOf(runner.withPropertyValues("credential.console.path=/ops/hooks")
                        .withUserConfiguration(FormLogin.class)))
                .contains("'/ops/hooks/' covers it.");
    }

    @Test
    void startWhenRefusedThenSaysWhatToDo() {
        runner.withUserConfiguration(OtherPath.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOfSatisfying(
                                CredentialConfigurationException.class,
                                failure -> assertThat(failure.remedy())
                                        .contains(
                                                "\"/credential/**\"",
                                                "formLogin",
                                                "credential.console.enabled=false")));
    }

    private static void assertFails(WebApplicationContextRunner runner, String expected) {
        assertThat(messageOf(runner))
                .contains("no security filter chain for the path '/credential/' ")
                .endsWith(expected);
    }

    private static String messageOf(WebApplicationContextRunner runner) {
        String[] message = {""};
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOfSatisfying(
                            CredentialConfigurationException.class, failure -> message[0] = failure.problem());
        });
        return message[0];
    }

    @Configuration(proxyBeanMethods = false)
    static class FormLogin {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.securityMatcher("/credential/**", "/login", "/logout")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherPath {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.securityMatcher("/api/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ignored {
        @Bean
        WebSecurityCustomizer ignoring() {
            return web -> web.ignoring().requestMatchers("/credential/**");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CsrfDisabled {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CsrfIgnored {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/credential/**"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CsrfIgnoredElsewhere {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/api/**"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Permitted {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PostsPermitted {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.POST)
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoRules {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.formLogin(Customizer.withDefaults()).build();
        }
    }
}
