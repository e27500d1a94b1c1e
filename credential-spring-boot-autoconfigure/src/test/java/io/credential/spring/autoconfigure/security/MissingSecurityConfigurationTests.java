package io.credential.spring.autoconfigure.security;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Lazy;

import io.credential.spring.autoconfigure.WithoutLibraries;
import io.credential.spring.security.RequiresScope;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

/** An application without Spring Security is told what it does not get. */
class MissingSecurityConfigurationTests {

    private final ClassLoader withoutSecurity = new WithoutLibraries("org.springframework.security.");

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withClassLoader(withoutSecurity)
            .withUserConfiguration(load(MissingSecurityConfiguration.class));

    private Class<?> load(Class<?> type) {
        try {
            return withoutSecurity.loadClass(type.getName());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OrderService.class, LazyService.class})
    void startWhenScopeIsRequiredThenFails(Class<?> bean) {
        application
                .withUserConfiguration(load(bean))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@RequiresScope on " + bean.getName())
                        .hasMessageContaining("spring-boot-starter-security"));
    }

    @Test
    void startWhenProductOfFactoryRequiresScopeThenFails() {
        application
                .withUserConfiguration(load(OrdersFactory.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@RequiresScope on " + Orders.class.getName()));
    }

    @Test
    void startWhenNoScopeIsRequiredThenSucceeds() {
        application
                .withUserConfiguration(load(PlainService.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({"default-chain, 1", "none, 0"})
    void registryWhenNothingChecksItsKeysThenWarned(String installIn, int warnings) {
        try (CapturedLog log = CapturedLog.of(MissingSecurityConfiguration.class)) {
            application
                    .withPropertyValues(
                            "credential.api-keys.registries.live.prefix=bk",
                            "credential.api-keys.install-in=" + installIn)
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(log.lines())
                    .hasSize(warnings)
                    .allSatisfy(line -> assertThat(line).contains("spring-boot-starter-security"));
        }
    }

    static class OrderService {

        @RequiresScope("orders:read")
        public void read() {}
    }

    @Lazy
    @RequiresScope("orders:read")
    static class LazyService {}

    @RequiresScope("orders:read")
    interface Orders {}

    static class OrdersFactory implements FactoryBean<Orders> {

        @Override
        public Orders getObject() {
            return new Orders() {};
        }

        @Override
        public Class<?> getObjectType() {
            return Orders.class;
        }
    }

    static class PlainService {}
}
