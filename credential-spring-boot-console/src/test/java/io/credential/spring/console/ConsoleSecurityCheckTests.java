package io.credential.spring.console;

import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.console.ConsoleRunner.Things;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleSecurityCheckTests {

    private static final String FIRST = "GET /credential/things";
    private static final String IGNORES =
            "protects it against CSRF (cross-site request forgery): the chain ignores this path.";

    private final WebApplicationContextRunner runner =
            ConsoleRunner.withSecurity().withBean(Things.class).withPropertyValues(ConsoleRunner.ENABLED);

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
        WebApplicationContextRunner unprotected =
                ConsoleRunner.withoutSecurity().withPropertyValues(ConsoleRunner.ENABLED);
        assertThat(messageOf(unprotected)).endsWith("Spring Security protects no request of this application.");
        assertThat(remedyOf(unprotected)).contains("spring-boot-starter-security", "@EnableWebSecurity");
    }

    @Test
    void startWhenNoChainCoversThePathThenFails() {
        assertFails(runner.withUserConfiguration(OtherPath.class), FIRST, "covers it.");
    }

    @Test
    void startWhenPathIsIgnoredThenFails() {
        assertFails(runner.withUserConfiguration(FormLogin.class, Ignored.class), FIRST, "covers it.");
    }

    @Test
    void startWhenCsrfIsDisabledThenFails() {
        assertFails(
                runner.withUserConfiguration(CsrfDisabled.class),
                FIRST,
                "protects it against CSRF (cross-site request forgery).");
    }

    @Test
    void startWhenCsrfIgnoresThePathThenFails() {
        assertFails(runner.withUserConfiguration(CsrfIgnored.class), "POST /credential/things/act", IGNORES);
    }

    @Test
    void startWhenCsrfIgnoresAnotherPathThenSucceeds() {
        runner.withUserConfiguration(CsrfIgnoredElsewhere.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenEverybodyIsPermittedThenFails() {
        assertFails(runner.withUserConfiguration(Permitted.class), FIRST, "denies anonymous requests to it.");
    }

    @Test
    void startWhenNobodyIsAskedToLogInThenFails() {
        assertFails(runner.withUserConfiguration(NoRules.class), FIRST, "denies anonymous requests to it.");
    }

    @Test
    void startWhenOnlyPostsArePermittedThenFails() {
        assertFails(
                runner.withUserConfiguration(PostsPermitted.class),
                "POST /credential/things/act",
                "denies anonymous requests to it.");
    }

    @Test
    void startWhenOnlyGetsAreCoveredThenFails() {
        assertFails(runner.withUserConfiguration(OnlyGets.class), "POST /credential/things/act", "covers it.");
    }

    @Test
    void startWhenOnlyTheFirstLevelIsCoveredThenFails() {
        assertFails(runner.withUserConfiguration(FirstLevel.class), "POST /credential/things/act", "covers it.");
    }

    @Test
    void startWhenCsrfIgnoresAPathBelowThenFails() {
        assertFails(
                runner.withUserConfiguration(CsrfIgnoredBelow.class), "POST /credential/things/{id}/remove", IGNORES);
    }

    @Test
    void startWhenAnEarlierChainCoversAPathBelowThenFails() {
        assertFails(
                runner.withUserConfiguration(FormLogin.class, ChainBelow.class),
                "POST /credential/things/act",
                "protects it against CSRF (cross-site request forgery).");
    }

    @Test
    void startWhenAChainAsksForTheApplicationThenSucceeds() {
        runner.withUserConfiguration(FormLogin.class, ChainOfContext.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Only a server has registrations of servlets. */
    @Test
    void startWhenAnotherServletServesItThenChecksBelowThat() {
        WebApplicationContextRunner server = new WebApplicationContextRunner(
                        AnnotationConfigServletWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(TomcatServletWebServerAutoConfiguration.class))
                .withConfiguration(ConsoleRunner.everything())
                .withPropertyValues(ConsoleRunner.ENABLED, "server.port=0")
                .withUserConfiguration(FormLogin.class);
        server.run(context -> assertThat(context).hasNotFailed());
        assertFails(server.withUserConfiguration(SecondServlet.class), "GET /second/credential/", "covers it.");
    }

    @Test
    void startWhenServletHasAPathThenChecksBelowIt() {
        runner.withPropertyValues("spring.mvc.servlet.path=/srv")
                .withUserConfiguration(FormLogin.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertFails(
                runner.withPropertyValues("spring.mvc.servlet.path=/srv").withUserConfiguration(CsrfIgnored.class),
                "POST /srv/credential/things/act",
                IGNORES);
    }

    @Test
    void startWhenPathIsConfiguredThenChecksThat() {
        assertThat(messageOf(runner.withPropertyValues("credential.console.path=/ops/hooks")
                        .withUserConfiguration(FormLogin.class)))
                .contains("'GET /ops/hooks/things' covers it.");
    }

    @Test
    void startWhenRefusedThenSaysWhatToDo() {
        assertThat(remedyOf(runner.withUserConfiguration(OtherPath.class)))
                .contains("\"/credential/**\"", "formLogin", "@Order", "credential.console.enabled=false");
    }

    private static void assertFails(WebApplicationContextRunner runner, String target, String expected) {
        assertThat(messageOf(runner)).endsWith("no security filter chain for '" + target + "' " + expected);
    }

    private static String messageOf(WebApplicationContextRunner runner) {
        return failureOf(runner).problem();
    }

    private static String remedyOf(WebApplicationContextRunner runner) {
        return failureOf(runner).remedy();
    }

    private static CredentialConfigurationException failureOf(WebApplicationContextRunner runner) {
        AtomicReference<CredentialConfigurationException> failure = new AtomicReference<>();
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOfSatisfying(CredentialConfigurationException.class, failure::set);
        });
        return failure.get();
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
    static class CsrfIgnoredBelow {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/credential/things/*/remove"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnlyGets {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.securityMatcher(PathPatternRequestMatcher.pathPattern(HttpMethod.GET, "/credential/**"))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FirstLevel {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.securityMatcher("/credential/", "/credential/*")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ChainBelow {
        @Bean
        @Order(0)
        SecurityFilterChain below(HttpSecurity http) {
            return http.securityMatcher("/credential/things/act")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    /** Its matcher reads the servlet context, as those for the endpoints of Actuator do. */
    @Configuration(proxyBeanMethods = false)
    static class ChainOfContext {
        @Bean
        @Order(0)
        SecurityFilterChain ofContext(HttpSecurity http) {
            return http.securityMatcher(request -> request.getServletContext().getAttribute("nothing") != null)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondServlet {
        @Bean
        ServletRegistrationBean<DispatcherServlet> second() {
            return new ServletRegistrationBean<>(
                    new DispatcherServlet(new AnnotationConfigWebApplicationContext()), "/second/*");
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
