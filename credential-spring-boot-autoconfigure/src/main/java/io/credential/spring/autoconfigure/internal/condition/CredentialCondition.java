package io.credential.spring.autoconfigure.internal.condition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
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
            case REGISTRIES -> names(ConfiguredFeatures.REGISTRIES, features, false);
            case LEAK_REPORTS -> property(ConfiguredFeatures.LEAK_REPORTS, "true", features.receivesLeakReports());
            case OWNER_EVENTS ->
                entry(ConfiguredFeatures.REGISTRIES, "'notify-owners' set to true", features.notifiesOwners());
            case USAGE -> property(ConfiguredFeatures.USAGE_ENABLED, "true", features.enablesUsage());
            case SINGLE_REGISTRY -> names(ConfiguredFeatures.REGISTRIES, features, true);
            case INBOUND_WEBHOOKS -> names(ConfiguredFeatures.INBOUND, features, false);
            case JDBC_NONCES ->
                entry(ConfiguredFeatures.INBOUND, "'nonce-store' set to 'jdbc'", features.storesNonces());
            case INBOX ->
                outcome(
                        features.enablesInbox(),
                        "'" + ConfiguredFeatures.INBOX_ENABLED + "' or 'store-first' of an entry of '"
                                + ConfiguredFeatures.INBOUND + "' is true",
                        "neither '" + ConfiguredFeatures.INBOX_ENABLED + "' nor 'store-first' of an entry of '"
                                + ConfiguredFeatures.INBOUND + "' is true");
            case CONSOLE -> property(ConfiguredFeatures.CONSOLE_ENABLED, "true", features.enablesConsole());
            case STORAGE -> anyOf(features, Requirement.SEALED_STORAGE, Requirement.JDBC_NONCES, Requirement.INBOX);
            case SEALED_STORAGE ->
                anyOf(features, Requirement.REGISTRIES, Requirement.AUDIT_LOG, Requirement.DISPATCHER);
        };
    }

    private static ConditionOutcome anyFeature(ConfiguredFeatures features) {
        ConditionOutcome signers = names(ConfiguredFeatures.SIGNERS, features, false);
        return signers.isMatch()
                ? signers
                : anyOf(
                        features,
                        Requirement.DISPATCHER,
                        Requirement.AUDIT_LOG,
                        Requirement.REGISTRIES,
                        Requirement.INBOUND_WEBHOOKS);
    }

    /** Returns the first match, or all reasons against one. */
    private static ConditionOutcome anyOf(ConfiguredFeatures features, Requirement... requirements) {
        List<ConditionMessage> unmet = new ArrayList<>();
        for (Requirement requirement : requirements) {
            ConditionOutcome outcome = outcome(requirement, features);
            if (outcome.isMatch()) {
                return outcome;
            }
            unmet.add(outcome.getConditionMessage());
        }
        return ConditionOutcome.noMatch(ConditionMessage.of(unmet));
    }

    private static ConditionOutcome property(String name, String value, boolean matches) {
        return outcome(matches, "'" + name + "' is " + value, "'" + name + "' is not " + value);
    }

    private static ConditionOutcome entry(String property, String setting, boolean matches) {
        String has = " entry of '" + property + "' has " + setting;
        return outcome(matches, "an" + has, "no" + has);
    }

    private static ConditionOutcome names(String property, ConfiguredFeatures features, boolean exactlyOne) {
        Set<String> names = features.names(property);
        return outcome(
                exactlyOne ? names.size() == 1 : !names.isEmpty(),
                "'" + property + "' has " + names,
                "'" + property + "' has " + (names.isEmpty() ? "no entry" : names));
    }

    private static ConditionOutcome outcome(boolean matches, String met, String unmet) {
        return new ConditionOutcome(
                matches,
                ConditionMessage.forCondition("Configuration of Credential").because(matches ? met : unmet));
    }
}
