package io.credential.spring.autoconfigure.internal.condition;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/**
 * Records how the conditions decide when an application is processed ahead of time. If they would decide differently
 * when it starts, startup fails: with the beans of the recorded configuration, a webhook that was added later would not
 * be verified, and each node of a cluster would be its own leader. Without ahead-of-time processing, does nothing.
 */
public final class BuildTimeConditions implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    BuildTimeConditions(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        if (SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING)) {
            RootBeanDefinition check = new RootBeanDefinition(Check.class);
            check.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
            check.getConstructorArgumentValues().addIndexedArgumentValue(0, decisions(environment));
            registry.registerBeanDefinition("credentialBuildTimeConditionsCheck", check);
        }
    }

    private static Map<String, String> decisions(Environment environment) {
        Map<String, String> decisions = new LinkedHashMap<>();
        for (Requirement requirement : Requirement.values()) {
            boolean met = requirement.isMet(environment);
            switch (requirement) {
                case SINGLE_NODE -> {} // the opposite of the next
                case CLUSTER -> decisions.put(quoted(ConfiguredFeatures.MODE), met ? "cluster" : "single");
                case DISPATCHER -> decisions.put(quoted(ConfiguredFeatures.DISPATCHER_ENABLED), String.valueOf(met));
                case OPERATIONAL_EVENTS ->
                    decisions.put(quoted(ConfiguredFeatures.OPERATIONAL_EVENTS), String.valueOf(met));
                case USAGE -> decisions.put(quoted(ConfiguredFeatures.USAGE_ENABLED), String.valueOf(met));
                case AUDIT_LOG -> decisions.put(quoted(ConfiguredFeatures.AUDIT_LOG), String.valueOf(met));
                default ->
                    decisions.put(
                            requirement.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            met ? "configured" : "not configured");
            }
        }
        return decisions;
    }

    private static String quoted(String property) {
        return "'" + property + "'";
    }

    /** Runs before beans of the application are created, so that nothing is changed in its database. */
    record Check(Map<String, String> atBuildTime) implements BeanFactoryPostProcessor, PriorityOrdered {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            String differences = decisions(beanFactory.getBean(Environment.class)).entrySet().stream()
                    .filter(now -> !now.getValue().equals(atBuildTime.get(now.getKey())))
                    .map(now -> now.getKey() + " (" + atBuildTime.get(now.getKey()) + " at build time, "
                            + now.getValue() + " now)")
                    .collect(Collectors.joining(", "));
            if (!differences.isEmpty()) {
                throw new CredentialConfigurationException(
                        "The application was processed ahead of time with a different configuration: " + differences
                                + ".",
                        "Build the application again with this configuration, or start it without"
                                + " 'spring.aot.enabled'.");
            }
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}
