package io.credential.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether a feature that stores something is configured. */
final class CredentialStorageCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfiguredFeatures features = new ConfiguredFeatures(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition("Storage of Credential");
        if (!features.names(ConfiguredFeatures.REGISTRIES).isEmpty()) {
            return ConditionOutcome.match(message.because("'" + ConfiguredFeatures.REGISTRIES + "' names a registry"));
        }
        if (features.storesNonces()) {
            return ConditionOutcome.match(message.because(
                    "an entry of '" + ConfiguredFeatures.INBOUND + "' has 'nonce-store' set to 'jdbc'"));
        }
        return ConditionOutcome.noMatch(message.because("nothing that is configured stores anything"));
    }
}
