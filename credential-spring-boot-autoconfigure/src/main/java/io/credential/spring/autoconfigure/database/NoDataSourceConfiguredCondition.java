package io.credential.spring.autoconfigure.database;

import java.util.List;
import java.util.Optional;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/**
 * Matches if no DataSource is configured. An embedded database on the class path counts as configured, unless the
 * application sets the path of the local file, or uses cluster mode, which embedded databases do not support.
 */
final class NoDataSourceConfiguredCondition extends SpringBootCondition {

    private static final List<String> DATA_SOURCE_PROPERTIES = List.of(
            "spring.datasource.url",
            "spring.datasource.jndi-name",
            "spring.datasource.username",
            "spring.datasource.driver-class-name",
            "spring.datasource.type",
            "spring.datasource.embedded-database-connection",
            "spring.datasource.xa.data-source-class-name",
            "spring.datasource.hikari.jdbc-url",
            "spring.datasource.hikari.data-source-class-name");

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("No DataSource configured");
        Environment environment = context.getEnvironment();
        Optional<String> property = configuredProperty(environment);
        if (property.isPresent()) {
            return ConditionOutcome.noMatch(message.because("'" + property.get() + "' is set"));
        }
        EmbeddedDatabaseConnection embedded = EmbeddedDatabaseConnection.get(context.getClassLoader());
        if (embedded != EmbeddedDatabaseConnection.NONE
                && !environment.containsProperty("credential.storage.path")
                && !Requirement.CLUSTER.isMet(environment)) {
            return ConditionOutcome.noMatch(
                    message.because(embedded + " is on the class path and 'credential.storage.path' is not set"));
        }
        return ConditionOutcome.match(message.because("no DataSource is configured"));
    }

    /** Returns a property that configures a DataSource, if any. */
    static Optional<String> configuredProperty(Environment environment) {
        return DATA_SOURCE_PROPERTIES.stream()
                .filter(name -> StringUtils.hasText(environment.getProperty(name)))
                .findFirst();
    }
}
