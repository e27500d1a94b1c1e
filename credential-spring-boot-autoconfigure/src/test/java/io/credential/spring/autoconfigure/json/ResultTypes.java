package io.credential.spring.autoconfigure.json;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.ApiKeyToken;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditPage;
import io.credential.webhook.delivery.AudienceWebhooks;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.DeliveryStatistics;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

/** The records and enums that public operations return, found by reflection, and an example of each. */
final class ResultTypes {

    private static final List<Class<?>> OPERATIONS = List.of(
            ApiKeyRegistry.class,
            WebhookDispatcher.class,
            AudienceWebhooks.class,
            Deliveries.class,
            DeadLetters.class,
            DeliveryStatistics.class,
            WebhookSigner.class,
            WebhookVerifier.class,
            ProcessorSignature.class,
            WebhookInbox.class);

    private ResultTypes() {}

    static Stream<Class<?>> records() {
        return all().filter(Class::isRecord);
    }

    static Stream<Class<?>> enums() {
        return all().filter(Class::isEnum);
    }

    /** A record in which every value that may be absent is absent, or the last constant of an enum. */
    static Object valueOf(Class<?> type) {
        return type.isEnum() ? last(type) : newRecord(type);
    }

    static boolean mayBeAbsent(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static Stream<Class<?>> all() {
        Set<Class<?>> found = new TreeSet<>(Comparator.comparing(Class::getName));
        OPERATIONS.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getGenericReturnType)
                .forEach(type -> collect(type, found));
        collect(ApiKeyState.class, found);
        collect(ApiKeyToken.class, found);
        collect(AuditEvent.class, found);
        collect(AuditPage.class, found);
        return found.stream();
    }

    private static void collect(Type type, Set<Class<?>> found) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(argument -> collect(argument, found));
        } else if (type instanceof Class<?> value && value.getName().startsWith("io.credential.")) {
            if (value.isRecord() && found.add(value)) {
                for (RecordComponent component : value.getRecordComponents()) {
                    collect(component.getGenericType(), found);
                }
            } else if (value.isEnum()) {
                found.add(value);
            }
        }
    }

    private static Object newRecord(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(
                            Arrays.stream(components).map(ResultTypes::example).toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("No example of " + type, e);
        }
    }

    private static @Nullable Object example(RecordComponent component) {
        if (mayBeAbsent(component)) {
            return null;
        }
        Class<?> type = component.getType();
        if (type.isEnum()) {
            return last(type);
        }
        Map<Class<?>, Object> examples = Map.ofEntries(
                Map.entry(String.class, "text"),
                Map.entry(int.class, 1),
                Map.entry(long.class, 1L),
                Map.entry(boolean.class, true),
                Map.entry(List.class, List.of()),
                Map.entry(Set.class, Set.of()),
                Map.entry(Map.class, Map.of()),
                Map.entry(Instant.class, Instant.EPOCH),
                Map.entry(LocalDate.class, LocalDate.EPOCH),
                Map.entry(ZoneId.class, ZoneOffset.UTC),
                Map.entry(Duration.class, Duration.ofSeconds(1)));
        Object example = type == AuditOrigin.class ? AuditOrigin.UNKNOWN : examples.get(type);
        if (example == null) {
            throw new IllegalStateException("No example of " + component + "; add one of its type");
        }
        return example;
    }

    private static Object last(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return constants[constants.length - 1];
    }
}
