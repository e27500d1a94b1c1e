package io.credential.spring.autoconfigure.bean;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails startup if several beans of a replaceable type exist and none is primary, even if nothing uses them.
 *
 * @since 0.1.0
 */
public final class AmbiguousBeanCheck implements SmartInitializingSingleton {

    private final ListableBeanFactory beanFactory;
    private final List<Class<?>> replaceable;

    public AmbiguousBeanCheck(ListableBeanFactory beanFactory, Class<?>... replaceable) {
        this.beanFactory = beanFactory;
        this.replaceable = List.of(replaceable);
    }

    @Override
    public void afterSingletonsInstantiated() {
        replaceable.forEach(this::check);
    }

    private <T> void check(Class<T> type) {
        SoleBean.of(beanFactory.getBeanProvider(type), type);
    }
}
