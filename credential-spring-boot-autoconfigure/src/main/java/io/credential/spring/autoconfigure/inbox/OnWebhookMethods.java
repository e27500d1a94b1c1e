package io.credential.spring.autoconfigure.inbox;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.webhook.OnWebhook;
import io.credential.spring.webhook.internal.WebhookStore;
import io.credential.webhook.inbox.internal.InboxHandler;
import io.credential.webhook.inbox.internal.InboxMessage;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * The methods that are annotated with {@link OnWebhook}. Fails startup if a method can never be called, or if two are for the same
 * events, or none is for a sender whose webhooks are stored. Thread-safe once the context has started.
 */
final class OnWebhookMethods implements InboxHandler, SmartInitializingSingleton {

    /** In place of a type: the events of all types that no method names. */
    private static final String REST = "";

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, WebhookInboundProperties> inbound;
    private final Map<String, Map<String, OnWebhookMethod>> bySender = new HashMap<>();
    private volatile boolean complete;

    OnWebhookMethods(ConfigurableListableBeanFactory beans, Map<String, WebhookInboundProperties> inbound) {
        this.beans = beans;
        this.inbound = inbound;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, OnWebhook.class)) {
                annotated(type).forEach((method, annotation) -> add(name, method, annotation));
            }
        }
        requireMethods();
        complete = true;
    }

    private void requireMethods() {
        if (inbound.values().stream().anyMatch(WebhookInboundProperties::storeFirst)
                && beans.getBeanNamesForType(WebhookStore.class, true, false).length == 0) {
            throw new CredentialConfigurationException(
                    "The application has its own WebhookInbox, which stores no webhooks, but a sender has 'store-first'.",
                    "Remove 'store-first' and map controllers to the paths, or remove the bean.");
        }
        Set<String> unhandled = new TreeSet<>();
        inbound.forEach((name, sender) -> {
            if (sender.storeFirst() && !bySender.containsKey(name)) {
                unhandled.add(name);
            }
        });
        if (!unhandled.isEmpty()) {
            throw new CredentialConfigurationException(
                    "The webhooks of " + unhandled + " are stored first, but no method processes them.",
                    "Annotate a method of a bean with @OnWebhook(\""
                            + unhandled.iterator().next()
                            + "\"), or remove 'store-first' and map a controller to the path.");
        }
    }

    private static Map<Method, OnWebhook> annotated(Class<?> type) {
        MethodIntrospector.MetadataLookup<OnWebhook> lookup =
                method -> AnnotatedElementUtils.findMergedAnnotation(method, OnWebhook.class);
        return MethodIntrospector.selectMethods(type, lookup);
    }

    private void add(String bean, Method method, OnWebhook annotation) {
        String sender = annotation.sender();
        WebhookInboundProperties properties = inbound.get(sender);
        if (properties == null || !properties.storeFirst()) {
            throw new CredentialConfigurationException(
                    "@OnWebhook of " + text(method) + " names the sender '" + sender
                            + "', whose webhooks are not stored.",
                    properties == null
                            ? "Name one of " + new TreeSet<>(inbound.keySet()) + ", or configure the sender."
                            : "Set 'credential.webhook.inbound." + sender + ".store-first' to true.");
        }
        Map<String, OnWebhookMethod> methods = bySender.computeIfAbsent(sender, unused -> new HashMap<>());
        OnWebhookMethod added = OnWebhookMethod.of(beans, bean, method);
        for (String type : annotation.type().length == 0 ? new String[] {REST} : annotation.type()) {
            OnWebhookMethod other = methods.putIfAbsent(type, added);
            if (other != null) {
                throw new CredentialConfigurationException(
                        "Two methods are for the same webhooks of '" + sender + "': " + other + " and " + added + ".",
                        "Give each @OnWebhook another 'type', or merge the methods.");
            }
        }
    }

    static String text(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    /**
     * Returns whether a webhook is stored: a method is for its type, or it has none that can be used, so that its processing fails
     * and an operator sees it.
     */
    boolean isFor(VerifiedWebhook webhook) {
        return find(webhook) != null || webhook.type() == null;
    }

    /** Returns the type of a webhook if a method names it; otherwise null. */
    @Nullable String namedType(VerifiedWebhook webhook) {
        String type = webhook.type();
        return type != null && methods(webhook).containsKey(type) ? type : null;
    }

    private @Nullable OnWebhookMethod find(VerifiedWebhook webhook) {
        String named = namedType(webhook);
        return methods(webhook).get(named == null ? REST : named);
    }

    private Map<String, OnWebhookMethod> methods(VerifiedWebhook webhook) {
        if (!complete) {
            throw new IllegalStateException("The application has not started");
        }
        return bySender.getOrDefault(String.valueOf(webhook.sender()), Map.of());
    }

    @Override
    public void handle(InboxMessage message) throws Exception {
        OnWebhookMethod method = find(message.webhook());
        if (method == null) {
            throw new IllegalStateException("No method is for webhooks of '" + message.sender() + "' of the type "
                    + message.webhook().type() + "; add one, and retry the webhook");
        }
        method.call(message);
    }
}
