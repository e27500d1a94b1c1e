package io.credential.spring.autoconfigure.security;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationConverter;

import jakarta.servlet.Filter;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.FakeRegistries;

import static org.assertj.core.api.Assertions.assertThat;

class ApiKeySecurityAutoConfigurationTests {

    private static final List<Class<?>> TYPES_THAT_CHANGE_AN_APPLICATION = List.of(
            SecurityFilterChain.class,
            AuthenticationProvider.class,
            AuthenticationManager.class,
            AuthenticationConverter.class,
            AuthenticationEntryPoint.class,
            AccessDeniedHandler.class,
            UserDetailsService.class,
            Filter.class,
            java.time.Clock.class,
            java.time.InstantSource.class,
            TaskScheduler.class);

    private final WebApplicationContextRunner bare = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DispatcherServletAutoConfiguration.class,
                    WebMvcAutoConfiguration.class,
                    SecurityAutoConfiguration.class,
                    UserDetailsServiceAutoConfiguration.class,
                    ServletWebSecurityAutoConfiguration.class,
                    SecurityFilterAutoConfiguration.class))
            .withPropertyValues("spring.security.user.password=password");

    private final WebApplicationContextRunner application = bare.withConfiguration(
            AutoConfigurations.of(ApiKeySecurityAutoConfiguration.class, ScopeCheckAutoConfiguration.class));

    private static Map<Class<?>, List<String>> beans(ApplicationContext context) {
        Map<Class<?>, List<String>> beans = new LinkedHashMap<>();
        for (Class<?> type : TYPES_THAT_CHANGE_AN_APPLICATION) {
            beans.put(type, Arrays.asList(context.getBeanNamesForType(type)));
        }
        return beans;
    }

    private static List<String> filters(ApplicationContext context) {
        return context.getBean(FilterChainProxy.class).getFilterChains().stream()
                .flatMap(chain -> chain.getFilters().stream())
                .map(filter -> filter.getClass().getSimpleName())
                .toList();
    }

    @Test
    void contextThenGainsNoBeanThatChangesApplication() {
        bare.run(without -> application
                .withBean(FakeRegistries.class, () -> new FakeRegistries("live"))
                .run(with -> {
                    assertThat(beans(without).get(SecurityFilterChain.class)).isNotEmpty();
                    assertThat(beans(with)).isEqualTo(beans(without));
                }));
    }

    @Test
    void chainsWhenThereAreNoRegistriesThenUnchanged() {
        bare.run(without -> {
            application.run(with -> assertThat(filters(with)).isEqualTo(filters(without)));
            application
                    .withBean(FakeRegistries.class, FakeRegistries::new)
                    .run(with -> assertThat(filters(with)).isEqualTo(filters(without)));
        });
    }

    @Test
    void chainsWhenThereIsARegistryThenGetBothFilters() {
        bare.run(without -> application
                .withBean(FakeRegistries.class, () -> new FakeRegistries("live"))
                .run(with -> {
                    assertThat(filters(with)).hasSize(filters(without).size() + 2);
                    assertThat(filters(with))
                            .containsSubsequence("CsrfFilter", "ApiKeyAuthenticationFilter", "LogoutFilter")
                            .containsSubsequence(
                                    "AnonymousAuthenticationFilter", "SoleCredentialFilter", "AuthorizationFilter");
                }));
    }

    @Test
    void startWhenNoRegistryOfSeveralIsNamedThenRefused() {
        application
                .withBean(FakeRegistries.class, () -> new FakeRegistries("live", "test"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                refused -> assertThat(refused.getName()).isEqualTo("credential.api-keys.accept")));
    }

    @Test
    void startWhenEachChainNamesItsRegistryThenSucceeds() {
        application
                .withBean(FakeRegistries.class, () -> new FakeRegistries("live", "test"))
                .withUserConfiguration(ChainThatNamesItsRegistry.class)
                .run(context -> assertThat(filters(context)).containsOnlyOnce("ApiKeyAuthenticationFilter"));
    }

    @Test
    void startWhenExplicitChainHasNoRegistryThenFails() {
        application
                .withUserConfiguration(ChainThatNamesItsRegistry.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("credential.api-keys.registries.test.prefix"));
    }

    @Test
    void startWhenSpringSecurityIsAbsentThenSucceeds() {
        new WebApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .withConfiguration(
                        AutoConfigurations.of(ApiKeySecurityAutoConfiguration.class, ScopeCheckAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class ChainThatNamesItsRegistry {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("test"))
                    .build();
        }
    }
}
