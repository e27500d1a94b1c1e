package io.credential.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether anything at all is configured. */
final class ConfiguredFeatureCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfiguredFeatures features = new ConfiguredFeatures(context.getEnvironment());
        List<String> configured = Stream.of(
                        ConfiguredFeatures.REGISTRIES, ConfiguredFeatures.SIGNERS, ConfiguredFeatures.INBOUND)
                .filter(property -> !features.names(property).isEmpty())
                .toList();
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured features of Credential");
        if (features.enablesDispatcher()) {
            return ConditionOutcome.match(message.because("the webhook dispatcher is enabled"));
        }
        return configured.isEmpty()
                ? ConditionOutcome.noMatch(message.because("there are none"))
                : ConditionOutcome.match(message.found("feature", "features").items(configured));
    }
}
