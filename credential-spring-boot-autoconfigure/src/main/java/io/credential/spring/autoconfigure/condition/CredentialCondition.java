package io.credential.spring.autoconfigure.condition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;

/** Evaluates a {@link Requirement}. */
final class CredentialCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfiguredFeatures features = new ConfiguredFeatures(context.getEnvironment());
        List<ConditionMessage> met = new ArrayList<>();
        for (Requirement requirement :
                metadata.getAnnotations().get(ConditionalOnCredential.class).getEnumArray("value", Requirement.class)) {
            ConditionOutcome outcome = outcome(requirement, features);
            if (!outcome.isMatch()) {
                return outcome;
            }
            met.add(outcome.getConditionMessage());
        }
        return ConditionOutcome.match(ConditionMessage.of(met));
    }

    static ConditionOutcome outcome(Requirement requirement, ConfiguredFeatures features) {
        return switch (requirement) {
            case ANY_FEATURE -> anyFeature(features);
            case SINGLE_NODE -> property(ConfiguredFeatures.MODE, "single", features.hasMode(Mode.SINGLE));
            case CLUSTER -> property(ConfiguredFeatures.MODE, "cluster", features.hasMode(Mode.CLUSTER));
            case DISPATCHER -> property(ConfiguredFeatures.DISPATCHER_ENABLED, "true", features.enablesDispatcher());
            case OPERATIONAL_EVENTS ->
                property(ConfiguredFeatures.OPERATIONAL_EVENTS, "true", features.enablesOperationalEvents());
            case AUDIT_LOG -> property(ConfiguredFeatures.AUDIT_LOG, "true", features.enablesAuditLog());
            case REGISTRIES -> registries(features, false);
            case SINGLE_REGISTRY -> registries(features, true);
            case INBOUND_WEBHOOKS -> inboundWebhooks(features);
            case JDBC_NONCES -> jdbcNonces(features);
            case STORAGE -> storage(features, false);
            case SEALED_STORAGE -> storage(features, true);
        };
    }

    private static ConditionOutcome property(String name, String value, boolean matches) {
        return new ConditionOutcome(
                matches,
                ConditionMessage.forCondition("Configuration of Credential")
                        .because("'" + name + "' is " + (matches ? "" : "not ") + value));
    }

    private static ConditionOutcome anyFeature(ConfiguredFeatures features) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured features of Credential");
        if (features.enablesDispatcher()) {
            return ConditionOutcome.match(message.because("the webhook dispatcher is enabled"));
        }
        if (features.enablesAuditLog()) {
            return ConditionOutcome.match(message.because("the audit log is enabled"));
        }
        List<String> configured = Stream.of(
                        ConfiguredFeatures.REGISTRIES, ConfiguredFeatures.SIGNERS, ConfiguredFeatures.INBOUND)
                .filter(property -> !features.names(property).isEmpty())
                .toList();
        return configured.isEmpty()
                ? ConditionOutcome.noMatch(message.because("there are none"))
                : ConditionOutcome.match(message.found("feature", "features").items(configured));
    }

    private static ConditionOutcome registries(ConfiguredFeatures features, boolean exactlyOne) {
        Set<String> namespaces = features.names(ConfiguredFeatures.REGISTRIES);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured API-key registries");
        if (namespaces.isEmpty()) {
            return ConditionOutcome.noMatch(message.because("'" + ConfiguredFeatures.REGISTRIES + "' is empty"));
        }
        return new ConditionOutcome(
                !exactlyOne || namespaces.size() == 1,
                message.found("registry", "registries").items(namespaces));
    }

    private static ConditionOutcome inboundWebhooks(ConfiguredFeatures features) {
        Set<String> names = features.names(ConfiguredFeatures.INBOUND);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured incoming webhooks");
        return names.isEmpty()
                ? ConditionOutcome.noMatch(message.because("'" + ConfiguredFeatures.INBOUND + "' is empty"))
                : ConditionOutcome.match(message.found("webhook", "webhooks").items(names));
    }

    private static ConditionOutcome jdbcNonces(ConfiguredFeatures features) {
        boolean stored = features.storesNonces();
        return new ConditionOutcome(
                stored,
                ConditionMessage.forCondition("Configured incoming webhooks")
                        .because((stored ? "an" : "no") + " entry of '" + ConfiguredFeatures.INBOUND
                                + "' has 'nonce-store' set to 'jdbc'"));
    }

    private static ConditionOutcome storage(ConfiguredFeatures features, boolean sealed) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Storage of Credential");
        if (!features.names(ConfiguredFeatures.REGISTRIES).isEmpty()) {
            return ConditionOutcome.match(message.because("'" + ConfiguredFeatures.REGISTRIES + "' names a registry"));
        }
        if (features.enablesAuditLog()) {
            return ConditionOutcome.match(message.because("'" + ConfiguredFeatures.AUDIT_LOG + "' is true"));
        }
        ConditionOutcome nonces = jdbcNonces(features);
        if (!sealed && nonces.isMatch()) {
            return nonces;
        }
        return features.enablesDispatcher()
                ? ConditionOutcome.match(message.because("the webhook dispatcher is enabled"))
                : ConditionOutcome.noMatch(message.because("no configured feature stores data"));
    }
}
