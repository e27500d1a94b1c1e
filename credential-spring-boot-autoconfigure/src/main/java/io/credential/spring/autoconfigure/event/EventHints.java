package io.credential.spring.autoconfigure.event;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** Lets Jackson read the typed events of the application, and what they consist of, in a native image. */
final class EventHints implements BeanRegistrationAotProcessor {

    private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        if (!bean.getBeanClass().equals(ScannedEvents.class)) {
            return null;
        }
        ScannedEvents scanned = bean.getBeanFactory().getBean(bean.getBeanName(), ScannedEvents.class);
        return (generation, code) -> scanned.types()
                .forEach(type -> binding.registerReflectionHints(
                        generation.getRuntimeHints().reflection(), type));
    }
}
