package io.credential.spring.security;

import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Registers the answers to rejected requests. A separate configurer, because these must come after those of all other
 * mechanisms: alone in a chain they are its default, otherwise they answer only requests with a key, and the denial of
 * callers that are authenticated by one.
 */
final class ApiKeyErrorsConfigurer extends AbstractHttpConfigurer<ApiKeyErrorsConfigurer, HttpSecurity> {

    private final RequestMatcher carriesKey;
    private final KeyedFailures failures;

    ApiKeyErrorsConfigurer(RequestMatcher carriesKey, KeyedFailures failures) {
        this.carriesKey = carriesKey;
        this.failures = failures;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void init(HttpSecurity http) {
        ExceptionHandlingConfigurer<HttpSecurity> exceptionHandling =
                http.getConfigurer(ExceptionHandlingConfigurer.class);
        if (exceptionHandling == null) {
            return;
        }
        exceptionHandling.defaultAuthenticationEntryPointFor(failures.entryPoint(), carriesKey);
        exceptionHandling.defaultAccessDeniedHandlerFor(failures.accessDeniedHandler(), this::isKeyed);
        RequestCache requests = http.getSharedObject(RequestCache.class);
        SessionlessRequestCache sessionless =
                new SessionlessRequestCache(requests != null ? requests : new HttpSessionRequestCache(), carriesKey);
        http.setSharedObject(RequestCache.class, sessionless);
        exceptionHandling.withObjectPostProcessor(new ObjectPostProcessor<ExceptionTranslationFilter>() {

            @Override
            public <O extends ExceptionTranslationFilter> O postProcess(O filter) {
                failures.activateFor(filter);
                if (failures.entryPoint().equals(filter.getAuthenticationEntryPoint())) {
                    sessionless.saveNothing();
                }
                return filter;
            }
        });
    }

    /** Also if it was not the token of this request: a filter of the application may authenticate by a key. */
    private boolean isKeyed(HttpServletRequest request) {
        return carriesKey.matches(request)
                || getSecurityContextHolderStrategy().getContext().getAuthentication() instanceof ApiKeyAuthentication;
    }
}
