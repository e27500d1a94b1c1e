package io.credential.spring.autoconfigure.webhook;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.MethodParameter;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.filter.HiddenHttpMethodFilter;
import org.springframework.web.method.HandlerMethod;

import jakarta.servlet.ServletContext;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Fails startup if nothing serves a configured path, because the intended path would then be unprotected, if a filter
 * changes the methods of requests that were not verified, and if a controller takes an argument that its webhooks never
 * have.
 */
final class InboundMappingCheck implements SmartInitializingSingleton {

    /** The methods that a HiddenHttpMethodFilter sets. */
    private static final Set<String> HIDDEN = Set.of("PUT", "PATCH", "DELETE");

    private final WebApplicationContext context;
    private final Map<String, WebhookInboundProperties> inbound;

    InboundMappingCheck(WebApplicationContext context, Map<String, WebhookInboundProperties> inbound) {
        this.context = context;
        this.inbound = inbound;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<ServedPath> served = ServedPaths.of(context);
        if (isServing()) {
            inbound.forEach((name, webhook) -> requireServed(name, webhook, served));
        }
        if (changesMethods()) {
            inbound.forEach(InboundMappingCheck::requireMethodsOfClients);
        }
        served.forEach(path -> requireMatchingArguments(path, served));
    }

    /** Returns false in a test slice, which lacks most controllers and registers no servlet. */
    private boolean isServing() {
        ServletContext servlets = context.getServletContext();
        return servlets != null && !servlets.getServletRegistrations().isEmpty();
    }

    private static void requireServed(String name, WebhookInboundProperties webhook, List<ServedPath> served) {
        for (String path : webhook.paths()) {
            if (!webhook.allowUnmapped()
                    && !webhook.storeFirst()
                    && served.stream().noneMatch(candidate -> candidate.overlaps(path, webhook.methods()))) {
                String property = "credential.webhook.inbound." + name;
                throw new CredentialConfigurationException(
                        "No controller or servlet serves '" + path + "' with "
                                + String.join(" or ", webhook.methods()) + ", so '" + property
                                + ".paths' has no effect for it.",
                        "Correct '" + property + ".paths' or '.methods'. If a functional route serves the path, or a"
                                + " handler that is registered later, set '" + property
                                + ".allow-unmapped' to true.");
            }
        }
    }

    private boolean changesMethods() {
        return context.getBeanProvider(HiddenHttpMethodFilter.class).stream()
                        .findAny()
                        .isPresent()
                || context.getBeanProvider(FilterRegistrationBean.class).stream()
                        .anyMatch(registration -> registration.getFilter() instanceof HiddenHttpMethodFilter);
    }

    /** That filter runs after the verification, which would see a POST that needs no signature. */
    private static void requireMethodsOfClients(String name, WebhookInboundProperties webhook) {
        if (!webhook.methods().contains("POST") && webhook.methods().stream().anyMatch(HIDDEN::contains)) {
            String property = "credential.webhook.inbound." + name + ".methods";
            throw new CredentialConfigurationException(
                    "'" + property + "' is " + String.join(",", webhook.methods())
                            + ", and a HiddenHttpMethodFilter turns a POST, which needs no signature there, into a"
                            + " request with such a method.",
                    "Set 'spring.mvc.hiddenmethod.filter.enabled' to false, or add POST to '" + property + "'.");
        }
    }

    private void requireMatchingArguments(ServedPath path, List<ServedPath> served) {
        HandlerMethod handler = path.handler();
        if (handler == null || Stream.of(handler.getMethodParameters()).noneMatch(InboundMappingCheck::isVerified)) {
            return;
        }
        Stream<Guard> guards = guards().filter(
                        guard -> path.overlaps(guard.pattern(), guard.webhook().methods()));
        if (!path.isLiteral()) {
            // A controller that maps exactly this path gets the request instead.
            guards = guards.filter(guard -> !PatternOverlap.isLiteral(guard.pattern())
                    || served.stream().noneMatch(other -> other.handler() != null && other.is(guard.pattern())));
        }
        guards.forEach(guard -> requireMatchingArguments(handler, guard));
    }

    private static void requireMatchingArguments(HandlerMethod handler, Guard guard) {
        Class<?> available = guard.webhook().isProcessor() ? ProcessorVerification.class : VerifiedWebhook.class;
        for (MethodParameter parameter : handler.getMethodParameters()) {
            if (isVerified(parameter) && parameter.getParameterType() != available) {
                throw new CredentialConfigurationException(
                        handler.getShortLogMessage() + " takes a "
                                + parameter.getParameterType().getSimpleName() + ", but requests to '"
                                + guard.pattern() + "' are verified by 'credential.webhook.inbound." + guard.name()
                                + "' with the algorithm '"
                                + guard.webhook().algorithm().text() + "' and have a " + available.getSimpleName()
                                + ".",
                        "Declare a " + available.getSimpleName()
                                + " instead, or correct the algorithm. A controller that serves both kinds must"
                                + " declare an Optional of each.");
            }
        }
    }

    private static boolean isVerified(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == VerifiedWebhook.class || type == ProcessorVerification.class;
    }

    private Stream<Guard> guards() {
        return inbound.entrySet().stream()
                .flatMap(entry -> entry.getValue().paths().stream()
                        .map(path -> new Guard(entry.getKey(), path, entry.getValue())));
    }

    private record Guard(String name, String pattern, WebhookInboundProperties webhook) {}
}
