package io.credential.spring.autoconfigure.event;

import java.util.List;
import java.util.Objects;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;

import io.credential.webhook.event.WebhookEvent;

/**
 * Finds typed events in the packages of the application. When the application is processed ahead of time, that happens at build
 * time, and the bean definition contains the result.
 */
final class EventScan implements ImportBeanDefinitionRegistrar {

    static final String SCANNED = "credentialScannedWebhookEvents";

    private final BeanFactory beans;
    private final Environment environment;
    private final ResourceLoader resources;

    EventScan(BeanFactory beans, Environment environment, ResourceLoader resources) {
        this.beans = beans;
        this.environment = environment;
        this.resources = resources;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        RootBeanDefinition scanned = new RootBeanDefinition(ScannedEvents.class);
        scanned.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        scanned.getConstructorArgumentValues().addIndexedArgumentValue(0, names());
        registry.registerBeanDefinition(SCANNED, scanned);
    }

    private List<String> names() {
        if (!AutoConfigurationPackages.has(beans)) {
            return List.of();
        }
        ClassPathScanningCandidateComponentProvider scanner = new EverythingAnnotated(environment);
        scanner.setResourceLoader(resources);
        scanner.addIncludeFilter(new AnnotationTypeFilter(WebhookEvent.class, false));
        return AutoConfigurationPackages.get(beans).stream()
                .flatMap(name -> scanner.findCandidateComponents(name).stream())
                .map(BeanDefinition::getBeanClassName)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    /** Also finds what cannot be a typed event, so that it is rejected rather than ignored. */
    private static final class EverythingAnnotated extends ClassPathScanningCandidateComponentProvider {

        EverythingAnnotated(Environment environment) {
            super(false, environment);
        }

        @Override
        protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
            return true;
        }
    }
}
