package io.credential.spring.console;

import java.lang.reflect.Field;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.FilterInvocation;
import org.springframework.security.web.access.PathPatternRequestTransformer;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ReflectionUtils;

import jakarta.servlet.Filter;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup unless a security filter chain of the application covers the console, protects it against CSRF, and denies
 * anonymous requests.
 */
final class ConsoleSecurityCheck implements SmartInitializingSingleton {

    /** Lets patterns of paths, which keep what they have parsed, match a request that nobody has sent. */
    private static final PathPatternRequestTransformer REQUESTS = new PathPatternRequestTransformer();

    private final String path;
    private final ApplicationContext context;

    ConsoleSecurityCheck(String path, ApplicationContext context) {
        this.path = path;
        this.context = context;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String url = servletPath() + path + "/";
        List<Filter> filters = filters(url);
        CsrfFilter csrf = filters.stream()
                .filter(CsrfFilter.class::isInstance)
                .map(CsrfFilter.class::cast)
                .findFirst()
                .orElseThrow(() -> failure("protects it against CSRF (cross-site request forgery)"));
        if (!protectsPosts(csrf, url)) {
            throw failure("protects it against CSRF (cross-site request forgery): the chain ignores this path");
        }
        if (permitsAnonymous(url)) {
            throw failure("denies anonymous requests to it");
        }
    }

    private List<Filter> filters(String url) {
        FilterChainProxy proxy = context.getBeanProvider(FilterChainProxy.class)
                .orderedStream()
                .findFirst()
                .orElseThrow(() -> failure("covers it"));
        @Nullable List<Filter> filters = proxy.getFilters(url);
        if (filters == null || filters.isEmpty()) {
            throw failure("covers it");
        }
        return filters;
    }

    /** Asks the matcher that decides which requests need a token, which has no other access. */
    private boolean protectsPosts(CsrfFilter filter, String url) {
        @Nullable Field field = ReflectionUtils.findField(CsrfFilter.class, "requireCsrfProtectionMatcher");
        if (field == null) {
            throw failure("protects it against CSRF in a way that this version of Credential recognizes");
        }
        ReflectionUtils.makeAccessible(field);
        @Nullable Object matcher = ReflectionUtils.getField(field, filter);
        return matcher instanceof RequestMatcher required
                && required.matches(REQUESTS.transform(new FilterInvocation(url, "POST").getHttpRequest()));
    }

    private boolean permitsAnonymous(String url) {
        ObjectProvider<WebInvocationPrivilegeEvaluator> evaluators =
                context.getBeanProvider(WebInvocationPrivilegeEvaluator.class);
        Authentication anonymous = new AnonymousAuthenticationToken(
                "console", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
        return evaluators
                .orderedStream()
                .findFirst()
                .map(evaluator -> evaluator.isAllowed("", url, "GET", anonymous)
                        || evaluator.isAllowed("", url, "POST", anonymous))
                .orElse(true);
    }

    /** Returns the path below which Spring MVC is served, without a slash at its end. */
    private String servletPath() {
        String configured = context.getEnvironment().getProperty("spring.mvc.servlet.path", "/");
        return configured.endsWith("/") ? configured.substring(0, configured.length() - 1) : configured;
    }

    private CredentialConfigurationException failure(String missing) {
        return new CredentialConfigurationException(
                "The console is enabled (credential.console.enabled), but no security filter chain for the path '"
                        + path + "/' " + missing + ".",
                "Cover the path with a SecurityFilterChain, for example: http.securityMatcher(\"" + path
                        + "/**\", \"/login\", \"/logout\").authorizeHttpRequests(requests ->"
                        + " requests.anyRequest().authenticated()).formLogin(Customizer.withDefaults()); and do not disable"
                        + " CSRF protection in it. Or set credential.console.enabled=false.");
    }
}
