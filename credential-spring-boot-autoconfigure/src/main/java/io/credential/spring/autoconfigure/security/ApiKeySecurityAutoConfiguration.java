package io.credential.spring.autoconfigure.security;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.internal.FailedAttempts;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.RejectionCountReporter;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.InstallIn;
import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.spring.security.internal.KeySources;

/**
 * Lets Spring Boot's default security chain, every chain or none accept API keys, depending on {@code
 * credential.api-keys.install-in}, once a registry is configured. Defines no bean of type filter, chain, provider,
 * manager or converter, because each would change the application in other ways.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialAutoConfiguration.class)
@ConditionalOnClass({ApiKeyRegistries.class, HttpSecurity.class, jakarta.servlet.Filter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(ApiKeysProperties.class)
@Import({RejectionCountReporter.class, AuditQueue.class, SharedBeans.class})
public final class ApiKeySecurityAutoConfiguration {

    @Bean
    ApiKeySecuritySettings credentialApiKeySecuritySettings(
            ApiKeysProperties apiKeys,
            SharedBeans shared,
            ObjectProvider<RateLimiter> rateLimiters,
            ObjectProvider<JdbcApiKeyRegistries> registries,
            AuditQueue auditQueue,
            RejectionCountReporter reporter) {
        InstantSource clock = shared.clock();
        RateLimit failures = apiKeys.failedAttempts().rateLimit();
        return new ApiKeySecuritySettings(
                new KeySources(
                        apiKeys.headerName(),
                        apiKeys.acceptBearer(),
                        apiKeys.acceptTickets() ? apiKeys.ticketParameter() : null),
                apiKeys.ticketParameter(),
                apiKeys.accept(),
                apiKeys.registries().keySet(),
                unaudited(apiKeys),
                apiKeys.requireHttps(),
                apiKeys.scopes().wildcards(),
                clock,
                auditQueue.inFrontOf(shared.auditSink()),
                // One for all chains, or each would permit the whole limit.
                SingletonSupplier.of(() ->
                        SharedBeans.sole(rateLimiters, RateLimiter.class).orElseGet(() -> RateLimiter.inMemory(clock))),
                failures == null ? null : new FailedAttempts(failures, clock),
                usage(registries),
                reporter::add);
    }

    /** Looks the registries up at the first rejection, because they open the database. */
    private static UsageRecorder usage(ObjectProvider<JdbcApiKeyRegistries> registries) {
        SingletonSupplier<UsageRecorder> recorder =
                SingletonSupplier.of(() -> Optional.ofNullable(registries.getIfAvailable())
                        .map(JdbcApiKeyRegistries::usage)
                        .orElse(UsageRecorder.NONE));
        return (namespace, id, cause) -> recorder.obtain().rejected(namespace, id, cause);
    }

    private static Set<String> unaudited(ApiKeysProperties apiKeys) {
        return apiKeys.registries().entrySet().stream()
                .filter(registry -> !registry.getValue().auditFailures())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Runs before the application's customizers, so that these and the chains can override it. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    Customizer<HttpSecurity> credentialApiKeysInChains(
            ObjectProvider<ApiKeyRegistries> registries,
            ApiKeySecuritySettings settings,
            ApiKeysProperties apiKeys,
            ConfigurableListableBeanFactory beans) {
        InstallIn installIn = apiKeys.installIn();
        DefaultChain defaultChain = new DefaultChain(beans);
        return http -> {
            if (installIn == InstallIn.NONE || !exist(registries, settings)) {
                return;
            }
            if (installIn == InstallIn.EVERY_CHAIN) {
                http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults());
            } else if (defaultChain.isInCreation()) {
                http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.except(actuatorRequests()));
            }
        };
    }

    private static RequestMatcher actuatorRequests() {
        boolean actuator = ClassUtils.isPresent(
                "org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties",
                ApiKeySecurityAutoConfiguration.class.getClassLoader());
        return actuator ? new ActuatorRequests() : request -> false;
    }

    private static boolean exist(ObjectProvider<ApiKeyRegistries> registries, ApiKeySecuritySettings settings) {
        ApiKeyRegistries available = registries.getIfAvailable();
        return !settings.configured().isEmpty()
                || (available != null && !available.all().isEmpty());
    }

    @Bean
    BearerConflictCheck credentialBearerConflictCheck(
            ObjectProvider<ApiKeyRegistries> registries,
            ApiKeySecuritySettings settings,
            ObjectProvider<SecurityFilterChain> chains) {
        return new BearerConflictCheck(() -> exist(registries, settings), chains);
    }

    @Bean
    UnknownScopeWarning credentialUnknownScopeWarning(
            ApiKeysProperties apiKeys, ConfigurableListableBeanFactory beans) {
        return new UnknownScopeWarning(apiKeys.scopes().known(), beans);
    }

    @Bean
    NoChainWarning credentialNoChainWarning(
            ObjectProvider<ApiKeyRegistries> registries,
            ApiKeySecuritySettings settings,
            ApiKeysProperties apiKeys,
            ObjectProvider<SecurityFilterChain> chains) {
        boolean wanted = apiKeys.installIn() != InstallIn.NONE;
        return new NoChainWarning(() -> wanted && exist(registries, settings), chains);
    }
}
