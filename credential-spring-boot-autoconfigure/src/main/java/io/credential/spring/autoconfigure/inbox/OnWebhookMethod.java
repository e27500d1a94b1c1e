package io.credential.spring.autoconfigure.inbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.inbox.internal.InboxMessage;
import io.credential.webhook.signature.VerifiedWebhook;

/** A method that processes stored webhooks. Thread-safe. */
final class OnWebhookMethod {

    private static final String JSON_MAPPER = "tools.jackson.databind.json.JsonMapper";

    private final BeanFactory beans;
    private final String bean;
    private final Method method;
    private final List<Argument> arguments;

    /** Makes an argument from a webhook. */
    @FunctionalInterface
    private interface Argument {
        Object of(InboxMessage message);
    }

    private OnWebhookMethod(BeanFactory beans, String bean, Method method, List<Argument> arguments) {
        this.beans = beans;
        this.bean = bean;
        this.method = method;
        this.arguments = arguments;
    }

    /** @throws CredentialConfigurationException if the method takes something that a webhook does not have */
    static OnWebhookMethod of(BeanFactory beans, String bean, Method method) {
        requireSynchronous(method);
        List<Argument> arguments = new ArrayList<>();
        Parameter payload = null;
        for (Parameter parameter : method.getParameters()) {
            Argument plain = plain(parameter.getType());
            if (plain == null) {
                if (payload != null || !ClassUtils.isPresent(JSON_MAPPER, OnWebhookMethod.class.getClassLoader())) {
                    throw new CredentialConfigurationException(
                            "The parameter '" + parameter.getName() + "' of " + OnWebhookMethods.text(method)
                                    + " cannot be set"
                                    + (payload == null ? ", because Jackson is missing." : ": the body has one type."),
                            "Declare at most one parameter for the payload, and otherwise VerifiedWebhook, byte[] or"
                                    + " String.");
                }
                payload = parameter;
                plain = Json.argument(beans, parameter);
            }
            arguments.add(plain);
        }
        return new OnWebhookMethod(beans, bean, method, arguments);
    }

    /** Otherwise, the webhook would be processed before the work is done. */
    private static void requireSynchronous(Method method) {
        Class<?> result = method.getReturnType();
        if (Future.class.isAssignableFrom(result)
                || CompletionStage.class.isAssignableFrom(result)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null
                || AnnotatedElementUtils.hasAnnotation(method, Async.class)) {
            throw new CredentialConfigurationException(
                    "@OnWebhook of " + OnWebhookMethods.text(method) + " is asynchronous.",
                    "Do the work in the method: its transaction is committed when it returns.");
        }
    }

    private static @Nullable Argument plain(Class<?> type) {
        if (type == VerifiedWebhook.class) {
            return InboxMessage::webhook;
        }
        if (type == byte[].class) {
            return message -> message.body().clone();
        }
        return type == String.class ? InboxMessage::text : null;
    }

    /** @throws Exception what the method throws */
    void call(InboxMessage message) throws Exception {
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            invocable.invoke(
                    target,
                    arguments.stream().map(argument -> argument.of(message)).toArray());
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    @Override
    public String toString() {
        return OnWebhookMethods.text(method);
    }

    /** Loaded only with Jackson. */
    private static final class Json {

        static Argument argument(BeanFactory beans, Parameter parameter) {
            return message -> {
                JsonMapper json = beans.getBean(JsonMapper.class);
                try {
                    return json.readValue(message.body(), json.constructType(parameter.getParameterizedType()));
                } catch (JacksonException e) { // whose message has parts of the body
                    throw new IllegalArgumentException("The body cannot be read as "
                            + parameter.getParameterizedType().getTypeName() + ": "
                            + e.getClass().getSimpleName() + " at " + e.getPathReference());
                }
            };
        }
    }
}
