package io.credential.spring.autoconfigure.webhook;

import java.util.Map;
import java.util.Set;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Looks at the names only. */
final class ConfiguredInboundCondition extends SpringBootCondition {

    private static final String PROPERTY = "credential.webhook.inbound";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Set<String> names = Binder.get(context.getEnvironment())
                .bind(PROPERTY, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElseGet(Set::of);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Configured incoming webhooks");
        return names.isEmpty()
                ? ConditionOutcome.noMatch(message.because("'" + PROPERTY + "' names none"))
                : ConditionOutcome.match(message.found("webhook", "webhooks").items(names));
    }
}
