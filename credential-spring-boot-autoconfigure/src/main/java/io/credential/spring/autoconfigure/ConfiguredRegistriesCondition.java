package io.credential.spring.autoconfigure;

import java.util.Set;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether registries are configured, and how many. */
final class ConfiguredRegistriesCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Set<String> namespaces = new ConfiguredFeatures(context.getEnvironment()).names(ConfiguredFeatures.REGISTRIES);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured API-key registries");
        if (namespaces.isEmpty()) {
            return ConditionOutcome.noMatch(message.because("'" + ConfiguredFeatures.REGISTRIES + "' names none"));
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
}
