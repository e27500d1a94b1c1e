package io.credential.spring.autoconfigure;

import java.util.Map;
import java.util.Set;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Looks at the property names only: the values are bound, and refused, later and once. */
final class ConfiguredRegistriesCondition extends SpringBootCondition {

    private static final String PROPERTY = "credential.api-keys.registries";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Set<String> namespaces = namespaces(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured API-key registries");
        if (namespaces.isEmpty()) {
            return ConditionOutcome.noMatch(message.because("'" + PROPERTY + "' names none"));
        }
        boolean exactlyOne = metadata.getAnnotations()
                .get(ConditionalOnConfiguredRegistries.class)
                .getValue("exactlyOne", Boolean.class)
                .orElse(false);
        if (exactlyOne && namespaces.size() > 1) {
            return ConditionOutcome.noMatch(
                    message.found("registry", "registries").items(namespaces));
        }
        return ConditionOutcome.match(message.found("registry", "registries").items(namespaces));
    }

    private static Set<String> namespaces(Environment environment) {
        return Binder.get(environment)
                .bind(PROPERTY, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElseGet(Set::of);
    }
}
