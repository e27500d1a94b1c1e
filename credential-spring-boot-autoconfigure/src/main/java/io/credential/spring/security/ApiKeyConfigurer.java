package io.credential.spring.security;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.authentication.www.DigestAuthenticationFilter;

import io.credential.apikey.ApiKeyRegistries;

/**
 * Adds API keys to a chain of Spring Security: {@code http.with(ApiKeyConfigurer.apiKeys(), c -> c.registries("live"))}.
 * Every chain has it without that line as soon as a registry is configured; the line is for chains that differ, and
 * {@code http.with(ApiKeyConfigurer.apiKeys(), c -> c.disable())} keeps a chain free of it.
 *
 * <p>Requests that carry a key are authenticated by it or refused. They need no CSRF token and get no session. Requests
 * without one are left to the chain's other mechanisms.
 *
 * @since 0.1.0
 */
public final class ApiKeyConfigurer extends AbstractHttpConfigurer<ApiKeyConfigurer, HttpSecurity> {

    private @Nullable String headerName;
    private List<String> registries = List.of();
    private @Nullable ApiKeyAuthenticationConverter converter;
    private @Nullable ApiKeyAuthenticationEntryPoint entryPoint;

    private ApiKeyConfigurer() {}

    /** A configurer for one chain, with the defaults of {@code credential.api-keys.*}. */
    public static ApiKeyConfigurer apiKeys() {
        return new ApiKeyConfigurer();
    }

    /**
     * Accepts the keys of these namespaces in this chain and no others. Default: {@code credential.api-keys.accept}, or
     * the only registry when there is just one.
     */
    public ApiKeyConfigurer registries(String... namespaces) {
        this.registries = List.copyOf(Arrays.asList(namespaces));
        return this;
    }

    /**
     * Expects keys in this header; {@code Authorization: ApiKey <token>} is understood besides. Default:
     * {@code credential.api-keys.header-name}.
     */
    public ApiKeyConfigurer headerName(String name) {
        this.headerName = name;
        return this;
    }

    @Override
    public void init(HttpSecurity http) {
        String header = headerName != null ? headerName : settings(http).headerName();
        ApiKeyAuthenticationConverter headers = new ApiKeyAuthenticationConverter(header);
        ApiKeyAuthenticationEntryPoint challenge = new ApiKeyAuthenticationEntryPoint(header);
        ignoreCsrf(http, headers);
        // Initialised after every other configurer: what is registered first becomes the chain's default answer.
        http.with(new ApiKeyErrorsConfigurer(
                headers::carriesKey, challenge, new ApiKeyAccessDeniedHandler(getSecurityContextHolderStrategy())));
        this.converter = headers;
        this.entryPoint = challenge;
    }

    @Override
    public void configure(HttpSecurity http) {
        if (converter == null || entryPoint == null) {
            throw new IllegalStateException("The configurer was not initialised");
        }
        ApiKeyAuthenticationFilter filter = new ApiKeyAuthenticationFilter(
                converter, authenticationManager(http), entryPoint, getSecurityContextHolderStrategy());
        // Ahead of the filters that read Authorization (Bearer, Basic), so that two credentials are refused here, and
        // behind those that answer URLs of their own (log-in, log-out).
        http.addFilterAfter(postProcess(filter), DigestAuthenticationFilter.class);
    }

    @SuppressWarnings("unchecked")
    private static void ignoreCsrf(HttpSecurity http, ApiKeyAuthenticationConverter converter) {
        CsrfConfigurer<HttpSecurity> csrf = http.getConfigurer(CsrfConfigurer.class);
        if (csrf != null) {
            csrf.ignoringRequestMatchers(converter::carriesKey);
        }
    }

    /** Private to the filter: in the chain's or the application's own it would answer for other mechanisms too. */
    private AuthenticationManager authenticationManager(HttpSecurity http) {
        ApplicationContext context = context(http);
        ApiKeySecuritySettings settings = settings(http);
        ApiKeyRegistries available = context.getBeanProvider(ApiKeyRegistries.class)
                .getIfAvailable(() -> {
                    throw new IllegalStateException("ApiKeyConfigurer needs a bean of type ApiKeyRegistries;"
                            + " configure a registry with credential.api-keys.registries.<namespace>.prefix");
                });
        ProviderManager manager = new ProviderManager(new ApiKeyAuthenticationProvider(
                available, AcceptedNamespaces.of(registries, settings, available), settings.clock()));
        context.getBeanProvider(AuthenticationEventPublisher.class).ifUnique(manager::setAuthenticationEventPublisher);
        return postProcess((AuthenticationManager) manager);
    }

    private static ApiKeySecuritySettings settings(HttpSecurity http) {
        return context(http).getBeanProvider(ApiKeySecuritySettings.class).getIfAvailable(() -> {
            throw new IllegalStateException(
                    "ApiKeyConfigurer needs ApiKeySecurityAutoConfiguration," + " which this application excludes");
        });
    }

    private static ApplicationContext context(HttpSecurity http) {
        return http.getSharedObject(ApplicationContext.class);
    }
}
