package io.credential.spring.autoconfigure;

import java.util.Optional;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there is a feature that stores something, and whether that was asked for. */
final class CredentialStorageCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfiguredFeatures features = new ConfiguredFeatures(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition("Storage of Credential");
        if (!features.names(ConfiguredFeatures.REGISTRIES).isEmpty()) {
            return ConditionOutcome.match(message.because("'" + ConfiguredFeatures.REGISTRIES + "' names a registry"));
        }
        if (!attribute(metadata, "sealed") && features.storesNonces()) {
            return ConditionOutcome.match(message.because(
                    "an entry of '" + ConfiguredFeatures.INBOUND + "' has 'nonce-store' set to 'jdbc'"));
        }
        if (!features.enablesDispatcher()) {
            return ConditionOutcome.noMatch(message.because("nothing that is configured stores anything"));
        }
        Optional<String> property = features.storageProperty();
        if (property.isEmpty() && attribute(metadata, "required")) {
            return ConditionOutcome.noMatch(
                    message.because("only the webhook dispatcher would store something, and nothing asks for it"));
        }
        return ConditionOutcome.match(message.because("the webhook dispatcher is enabled"
                + property.map(name -> " and '" + name + "' is set").orElse("")));
    }

    private static boolean attribute(AnnotatedTypeMetadata metadata, String name) {
        return metadata.getAnnotations()
                .get(ConditionalOnCredentialStorage.class)
                .getValue(name, Boolean.class)
                .orElse(false);
    }
}
