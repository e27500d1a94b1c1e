package io.credential.spring.security;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.audit.internal.AuditTrail;
import io.credential.spring.security.internal.ApiKeyHeader;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.spring.security.internal.KeySources;
import io.credential.spring.security.internal.NoRegistries;
import io.credential.spring.security.internal.ScopeRefusals;
import io.credential.spring.security.internal.SecurityContextActor;

/**
 * Adds API keys to a security chain: {@code http.with(ApiKeyConfigurer.apiKeys(), c -> c.registries("live"))}. An
 * application without a {@code SecurityFilterChain} bean does not need this: Spring Boot's default chain accepts keys
 * once a registry is configured, except for Actuator endpoints. {@code credential.api-keys.install-in} changes that,
 * and {@code http.with(ApiKeyConfigurer.apiKeys(), c -> c.disable())} excludes a chain in any case.
 *
 * <p>Requests with a key are authenticated by it alone or rejected, even if another mechanism would authenticate them
 * as well. They are counted against the rate limit and the quota of the key. They need no CSRF token, create no session, and cannot
 * log a user in or out. Keys that were sent over plain HTTP are refused, unless {@code
 * credential.api-keys.require-https} is false, and so are keys that were sent from a network that they do not allow.
 * Requests without a key are left to the other mechanisms of the chain.
 *
 * @since 0.1.0
 */
public final class ApiKeyConfigurer extends AbstractHttpConfigurer<ApiKeyConfigurer, HttpSecurity> {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyConfigurer.class);

    private List<String> headerNames = List.of();
    private @Nullable Boolean bearer;
    private @Nullable Boolean tickets;
    private @Nullable String ticketParameter;
    private List<String> registries = List.of();
    private RequestMatcher exceptions = request -> false;
    private @Nullable ApiKeyAuthenticationConverter converter;
    private @Nullable KeyedFailures failures;

    private ApiKeyConfigurer() {}

    /** Returns a configurer for one chain, with the defaults of {@code credential.api-keys.*}. */
    public static ApiKeyConfigurer apiKeys() {
        return new ApiKeyConfigurer();
    }

    /**
     * Accepts only the keys of these namespaces in this chain. Default: {@code credential.api-keys.accept}, or the only
     * registry.
     *
     * @throws IllegalArgumentException if there are none
     */
    public ApiKeyConfigurer registries(String... namespaces) {
        if (namespaces.length == 0) {
            throw new IllegalArgumentException("Name at least one registry whose keys this chain accepts,"
                    + " or exclude the chain with disable()");
        }
        this.registries = List.copyOf(Arrays.asList(namespaces));
        return this;
    }

    /**
     * Expects keys in this header, in addition to {@code Authorization: ApiKey <token>}. Default: {@code
     * credential.api-keys.header-name}.
     *
     * @throws IllegalArgumentException if it is not a valid header name, or the header contains other credentials
     */
    public ApiKeyConfigurer headerName(String name) {
        return headerNames(name);
    }

    /**
     * Expects keys in any of these headers, in addition to {@code Authorization: ApiKey <token>}. A request with keys in two
     * of them is rejected. Default: {@code credential.api-keys.header-name}.
     *
     * @param names 1 to 8; the first is the one that documentation names
     * @throws IllegalArgumentException if one is not a valid header name, or is named twice, or the header contains other
     *     credentials
     */
    public ApiKeyConfigurer headerNames(String... names) {
        this.headerNames = ApiKeyHeader.requireUsable(Arrays.asList(names));
        return this;
    }

    /**
     * Sets whether {@code Authorization: Bearer <token>} contains a key in this chain. Startup fails if the chain is also an
     * OAuth 2 resource server; other chains of the application may be. Default: {@code credential.api-keys.accept-bearer}.
     */
    public ApiKeyConfigurer acceptBearer(boolean accept) {
        this.bearer = accept;
        return this;
    }

    /**
     * Sets whether a ticket of {@link io.credential.apikey.ApiKeyRegistry#ticket} in the query of a GET request is accepted
     * in this chain in place of a key. Default: {@code credential.api-keys.accept-tickets}.
     */
    public ApiKeyConfigurer acceptTickets(boolean accept) {
        this.tickets = accept;
        return this;
    }

    /**
     * Accepts tickets in this query parameter of GET requests. Default: {@code credential.api-keys.ticket-parameter}.
     *
     * @throws IllegalArgumentException if the name is not 1 to 64 letters, digits, '-', '.', '_' or '~'
     */
    public ApiKeyConfigurer acceptTickets(String parameter) {
        this.ticketParameter = KeySources.requireParameter(parameter);
        return acceptTickets(true);
    }

    /**
     * Ignores keys in these requests and leaves them to the other mechanisms of the chain. Default: keys are accepted
     * in all requests of the chain. A second call replaces the first.
     */
    public ApiKeyConfigurer except(RequestMatcher requests) {
        this.exceptions = requests;
        return this;
    }

    /** Returns whether requests of this chain can be authenticated by an API key. */
    public static boolean isInstalledIn(SecurityFilterChain chain) {
        return chain.getFilters().stream().anyMatch(ApiKeyAuthenticationFilter.class::isInstance);
    }

    /** Returns whether requests of this chain can be authenticated by an API key that is sent as a bearer token. */
    public static boolean acceptsBearer(SecurityFilterChain chain) {
        return chain.getFilters().stream()
                .anyMatch(filter -> filter instanceof ApiKeyAuthenticationFilter keys && keys.acceptsBearer());
    }

    @Override
    public void init(HttpSecurity http) {
        KeySources sources = sources(settings(http));
        ApiKeyAuthenticationConverter headers = new ApiKeyAuthenticationConverter(sources, exceptions);
        ApiKeyAuthenticationEntryPoint challenge = new ApiKeyAuthenticationEntryPoint(sources);
        ignoreCsrf(http, headers::carriesKey);
        // Initialized after all other configurers: the answer that is registered first becomes the default of the
        // chain.
        KeyedFailures answers = new KeyedFailures(
                challenge, new ApiKeyAccessDeniedHandler(getSecurityContextHolderStrategy(), sources.bearer()));
        http.with(new ApiKeyErrorsConfigurer(headers::carriesKey, answers));
        this.converter = headers;
        this.failures = answers;
    }

    @Override
    public void configure(HttpSecurity http) {
        if (converter == null || failures == null) {
            throw new IllegalStateException("The configurer was not initialized");
        }
        ApiKeySecuritySettings settings = settings(http);
        ApiKeyRegistries available = availableRegistries(http, settings);
        Set<String> accepted = AcceptedNamespaces.of(registries, settings, available);
        AuthenticationEventPublisher events =
                bean(http, AuthenticationEventPublisher.class, DefaultAuthenticationEventPublisher::new);
        SecurityContextHolderStrategy contextHolder = getSecurityContextHolderStrategy();
        AuditTrail audit = audit(settings, contextHolder);
        RejectionReport report = new RejectionReport(audit, events, accepted, settings.unaudited(), settings.usage());
        RejectedKeyLog log = new RejectedKeyLog(settings.clock());
        settings.countReports().accept(audit::reportAllRejections);
        settings.countReports().accept(log::logCounts);
        ApiKeyRefusal refusal = new ApiKeyRefusal(failures.entryPoint(), contextHolder, report, log);

        // Private to the filter: in the manager of the chain or the application, the provider would serve other
        // mechanisms.
        ProviderManager manager = new ProviderManager(new ApiKeyAuthenticationProvider(
                available, accepted, settings.clock(), report, settings.scopeWildcards()));
        manager.setAuthenticationEventPublisher(events);
        ApiKeyAuthenticationFilter authentication = new ApiKeyAuthenticationFilter(
                converter,
                postProcess((AuthenticationManager) manager),
                new HttpsRequirement(settings.requireHttps(), report),
                new NetworkRequirement(report),
                new RequestLimits(rateLimits(http, settings, available), settings.failedAttempts(), report),
                refusal,
                contextHolder);
        // Directly after the CSRF check, which passes requests with a key: no other mechanism may act on such a request
        // before the key is verified.
        http.addFilterAfter(postProcess(authentication), CsrfFilter.class);
        ScopeRefusals scopes = new ScopeRefusals(audit, settings.unaudited(), settings.scopeUsage());
        http.addFilterBefore(
                postProcess(new SoleCredentialFilter(refusal, scopes, failures, contextHolder)),
                AuthorizationFilter.class);
    }

    private KeySources sources(ApiKeySecuritySettings settings) {
        KeySources defaults = settings.sources();
        boolean acceptsTickets = tickets != null ? tickets : defaults.ticketParameter() != null;
        String parameter = ticketParameter != null ? ticketParameter : settings.ticketParameter();
        return new KeySources(
                headerNames.isEmpty() ? defaults.headerNames() : headerNames,
                bearer != null ? bearer : defaults.bearer(),
                acceptsTickets ? parameter : null);
    }

    private static AuditTrail audit(ApiKeySecuritySettings settings, SecurityContextHolderStrategy contextHolder) {
        SecurityContextActor actor = new SecurityContextActor(() -> contextHolder);
        return new AuditTrail(settings.auditSink(), actor, settings.clock(), "api-key", true, true);
    }

    private static ApiKeyRateLimits rateLimits(
            HttpSecurity http, ApiKeySecuritySettings settings, ApiKeyRegistries available) {
        return context(http)
                .getBeanProvider(ApiKeyRateLimits.class)
                .getIfAvailable(
                        () -> new ApiKeyRateLimits(settings.rateLimiter().get(), available));
    }

    @SuppressWarnings("unchecked")
    private static void ignoreCsrf(HttpSecurity http, RequestMatcher keyed) {
        CsrfConfigurer<HttpSecurity> csrf = http.getConfigurer(CsrfConfigurer.class);
        if (csrf != null) {
            csrf.ignoringRequestMatchers(keyed);
        }
    }

    private static ApiKeyRegistries availableRegistries(HttpSecurity http, ApiKeySecuritySettings settings) {
        return context(http).getBeanProvider(ApiKeyRegistries.class).getIfAvailable(() -> {
            if (!settings.configured().isEmpty()) {
                LOG.warn("Every API key is rejected: registries are configured, but no bean of type ApiKeyRegistries"
                        + " exists. In a test slice that needs keys, add @AutoConfigureInMemoryCredential.");
            }
            return new NoRegistries();
        });
    }

    private static <T> T bean(HttpSecurity http, Class<T> type, Supplier<T> otherwise) {
        return context(http).getBeanProvider(type).getIfUnique(otherwise);
    }

    private static ApiKeySecuritySettings settings(HttpSecurity http) {
        return context(http).getBeanProvider(ApiKeySecuritySettings.class).getIfAvailable(() -> {
            throw new IllegalStateException(
                    "ApiKeyConfigurer needs ApiKeySecurityAutoConfiguration; do not exclude it");
        });
    }

    private static ApplicationContext context(HttpSecurity http) {
        return http.getSharedObject(ApplicationContext.class);
    }
}
