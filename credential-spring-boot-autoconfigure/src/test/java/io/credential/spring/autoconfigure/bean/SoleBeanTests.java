package io.credential.spring.autoconfigure.bean;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.micrometer.observation.ObservationRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class SoleBeanTests {

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
        return SoleBean.observations(beans.getBeanProvider(ObservationRegistry.class));
    }
}
