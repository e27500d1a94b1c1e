package io.credential.spring.console;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.dispatcher.WebhookDispatcherAutoConfiguration;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.spring.console.internal.overview.OverviewSection;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.Operators;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.security.ApiKeyAuthentication;

/**
 * Serves the operator's console if {@code credential.console.enabled} is true. It uses the login of the application, and adds
 * neither a security filter chain nor a rule to one: startup fails unless one protects the console.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            ApiKeyRegistriesAutoConfiguration.class,
            AuditAutoConfiguration.class,
            ClusterAutoConfiguration.class,
            WebhookAutoConfiguration.class,
            WebhookDispatcherAutoConfiguration.class
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnCredential(Requirement.CONSOLE)
@Import({SharedBeans.class, ConsoleSections.class})
public final class ConsoleAutoConfiguration {

    /** Not a candidate for the application's injection points, some of which may ask for a mapping by its type. */
    @Bean(autowireCandidate = false)
    ConsoleHandlerMapping credentialConsoleHandlerMapping(
            ConsoleProperties properties,
            ObjectProvider<ConsoleSection> sections,
            ObjectProvider<SecurityContextHolderStrategy> contexts,
            SharedBeans shared) {
        List<ConsoleSection> all = new ArrayList<>(sections.stream().toList());
        List<OverviewPart<?>> parts = all.stream()
                .<OverviewPart<?>>flatMap(section -> section.overview().stream())
                .toList();
        all.add(new OverviewSection(parts, shared.clock()));
        Operators operators = new Operators(
                () -> contexts.getIfUnique(SecurityContextHolder::getContextHolderStrategy),
                properties.authorities(),
                isApiKey());
        return ConsoleHandlerMapping.of(properties, operators, all);
    }

    private static Predicate<Authentication> isApiKey() {
        boolean keys =
                ClassUtils.isPresent("io.credential.apikey.ApiKey", ConsoleAutoConfiguration.class.getClassLoader());
        return keys ? new ApiKeyCheck() : authentication -> false;
    }

    @Bean
    ConsoleSecurityCheck credentialConsoleSecurityCheck(ConsoleProperties properties, WebApplicationContext context) {
        return new ConsoleSecurityCheck(
                properties.path(), context.getBean(ConsoleHandlerMapping.class).targets(), context);
    }

    /** Loaded only if there are API keys. */
    private static final class ApiKeyCheck implements Predicate<Authentication> {

        @Override
        public boolean test(Authentication authentication) {
            return authentication instanceof ApiKeyAuthentication;
        }
    }
}
