package io.credential.spring.autoconfigure.event;

import java.util.List;

import org.springframework.util.ClassUtils;

/**
 * The classes with {@link io.credential.webhook.event.WebhookEvent} in the packages of the application.
 *
 * @param names the names of the classes, which generated code can contain even if the classes are not public
 */
record ScannedEvents(List<String> names) {

    List<Class<?>> types() {
        ClassLoader loader = ClassUtils.getDefaultClassLoader();
        return names.stream()
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, loader))
                .toList();
    }
}
