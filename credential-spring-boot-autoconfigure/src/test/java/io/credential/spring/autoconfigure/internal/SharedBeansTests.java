package io.credential.spring.autoconfigure.internal;

import java.time.InstantSource;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.AuditSink;
import io.credential.internal.notification.NodeNotifications;

import static org.assertj.core.api.Assertions.assertThat;

class SharedBeansTests {

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @Test
    void observationsWhenOneThenIt() {
        ObservationRegistry registry = ObservationRegistry.create();
        beans.addBean("one", registry);

        assertThat(observations()).isSameAs(registry);
    }

    @Test
    void observationsWhenSeveralThenNothingIsObserved() {
        beans.addBean("one", ObservationRegistry.create());
        beans.addBean("two", ObservationRegistry.create());

        assertThat(observations()).isSameAs(ObservationRegistry.NOOP);
    }

    private ObservationRegistry observations() {
        return new SharedBeans(
                        beans.getBeanProvider(InstantSource.class),
                        beans.getBeanProvider(AuditSink.class),
                        beans.getBeanProvider(NodeNotifications.class),
                        beans.getBeanProvider(ObservationRegistry.class))
                .observations();
    }
}
