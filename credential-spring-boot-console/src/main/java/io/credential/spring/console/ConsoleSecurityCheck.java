package io.credential.spring.console;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.FilterInvocation;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.PathPatternRequestTransformer;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping.Target;

/**
 * Fails startup unless security filter chains of the application cover every route of the console, protect it against CSRF,
 * and deny anonymous requests.
 */
final class ConsoleSecurityCheck implements SmartInitializingSingleton {

    /** Wraps a request that was not sent, so that path patterns can match it. */
    private static final PathPatternRequestTransformer REQUESTS = new PathPatternRequestTransformer();

    private static final Pattern VARIABLE = Pattern.compile("\\{[^/}]+}");
    private static final Authentication ANONYMOUS = new AnonymousAuthenticationToken(
            "console", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

    private final String path;
    private final List<Target> targets;
    private final WebApplicationContext context;

    /** @param path of the console, for the example in the message */
    ConsoleSecurityCheck(String path, List<Target> targets, WebApplicationContext context) {
        this.path = path;
        this.targets = List.copyOf(targets);
        this.context = context;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String servletPath : servletPaths()) {
            targets.forEach(target -> check(new Target(target.method(), servletPath + target.pattern())));
        }
    }

    private void check(Target target) {
        String url = VARIABLE.matcher(target.pattern()).replaceAll("sample");
        String method = target.method().name();
        HttpServletRequest request =
                REQUESTS.transform(new FilterInvocation("", url, method, context.getServletContext()).getHttpRequest());
        CsrfFilter csrf = chain(target, request).getFilters().stream()
                .filter(CsrfFilter.class::isInstance)
                .map(CsrfFilter.class::cast)
                .findFirst()
                .orElseThrow(() -> failure(target, "protects it against CSRF (cross-site request forgery)"));
        if (target.method().equals(HttpMethod.POST) && !requiresToken(target, csrf, request)) {
            throw failure(target, "protects it against CSRF (cross-site request forgery): the chain ignores this path");
        }
        boolean permitsAnonymous = context.getBeanProvider(WebInvocationPrivilegeEvaluator.class)
                .orderedStream()
                .findFirst()
                .map(evaluator -> evaluator.isAllowed("", url, method, ANONYMOUS))
                .orElse(true);
        if (permitsAnonymous) {
            throw failure(target, "denies anonymous requests to it");
        }
    }

    /** Returns the chain that gets this request: the first that matches. One without filters ignores it. */
    private SecurityFilterChain chain(Target target, HttpServletRequest request) {
        FilterChainProxy proxy = context.getBeanProvider(FilterChainProxy.class)
                .orderedStream()
                .findFirst()
                .orElseThrow(ConsoleSecurityCheck::withoutSecurity);
        return proxy.getFilterChains().stream()
                .filter(chain -> chain.matches(request))
                .findFirst()
                .filter(chain -> !chain.getFilters().isEmpty())
                .orElseThrow(() -> failure(target, "covers it"));
    }

    /** Uses reflection, because {@link CsrfFilter} does not expose its matcher. */
    private boolean requiresToken(Target target, CsrfFilter filter, HttpServletRequest request) {
        @Nullable Field field = ReflectionUtils.findField(CsrfFilter.class, "requireCsrfProtectionMatcher");
        if (field == null) {
            throw failure(target, "protects it against CSRF in a way that this version of Credential recognizes");
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, filter) instanceof RequestMatcher required && required.matches(request);
    }

    /**
     * Returns the paths of the servlets of Spring MVC, without a slash at their end. Each of them serves the console. The
     * property is for a servlet context without registrations, such as that of tests.
     */
    private List<String> servletPaths() {
        ServletContext servlets = Objects.requireNonNull(context.getServletContext());
        List<String> mapped = servlets.getServletRegistrations().values().stream()
                .filter(servlet -> isDispatcher(servlet.getClassName()))
                .flatMap(servlet -> servlet.getMappings().stream())
                .filter(mapping -> mapping.equals("/") || mapping.endsWith("/*"))
                .map(mapping -> mapping.substring(0, mapping.lastIndexOf('/')))
                .distinct()
                .toList();
        return mapped.isEmpty() ? List.of(configuredServletPath()) : mapped;
    }

    private boolean isDispatcher(@Nullable String className) {
        return className != null
                && ClassUtils.isPresent(className, context.getClassLoader())
                && DispatcherServlet.class.isAssignableFrom(
                        ClassUtils.resolveClassName(className, context.getClassLoader()));
    }

    private String configuredServletPath() {
        String configured = context.getEnvironment().getProperty("spring.mvc.servlet.path", "/");
        return configured.endsWith("/") ? configured.substring(0, configured.length() - 1) : configured;
    }

    private static CredentialConfigurationException withoutSecurity() {
        return new CredentialConfigurationException(
                "The console is enabled (credential.console.enabled), but Spring Security protects no request of this"
                        + " application.",
                "Add spring-boot-starter-security, whose auto-configuration must not be excluded, or @EnableWebSecurity. Or"
                        + " set credential.console.enabled=false.");
    }

    private CredentialConfigurationException failure(Target target, String missing) {
        return new CredentialConfigurationException(
                "The console is enabled (credential.console.enabled), but no security filter chain for '"
                        + target.method() + " " + target.pattern() + "' " + missing + ".",
                "Cover the path with a SecurityFilterChain, for example: http.securityMatcher(\"" + path
                        + "/**\", \"/login\", \"/logout\").authorizeHttpRequests(requests ->"
                        + " requests.anyRequest().authenticated()).formLogin(Customizer.withDefaults()); and do not disable"
                        + " CSRF protection in it. The first chain that matches a request decides: give this one an @Order"
                        + " before those of chains that match the path too. Or set credential.console.enabled=false.");
    }
}
