package io.credential.spring.autoconfigure.audit.internal;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.SecurityContextImpl;

import io.credential.spring.autoconfigure.WithoutLibraries;

import static org.assertj.core.api.Assertions.assertThat;

class CurrentActorTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @AfterEach
    void clear() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void supplierWhenAuthenticatedThenGivesTheName() {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("admin", "n/a", "ROLE_ADMIN"));
        assertThat(CurrentActor.supplier(beans).get()).isEqualTo("admin");
    }

    @Test
    void supplierWhenApplicationHasAStrategyThenReadsIt() {
        SecurityContextHolderStrategy own = new OwnStrategy();
        beans.registerSingleton("own", own);
        own.setContext(new SecurityContextImpl(new TestingAuthenticationToken("admin", "n/a", "ROLE_ADMIN")));

        assertThat(CurrentActor.supplier(beans).get()).isEqualTo("admin");
    }

    @Test
    void supplierWhenSpringSecurityIsAbsentThenGivesNull() throws Exception {
        Method supplier = new WithoutLibraries("org.springframework.security.")
                .loadClass(CurrentActor.class.getName())
                .getDeclaredMethod("supplier", BeanFactory.class);
        supplier.setAccessible(true);
        assertThat(((Supplier<?>) supplier.invoke(null, beans)).get()).isNull();
    }

    /** Knows nothing of {@link SecurityContextHolder}. */
    static final class OwnStrategy implements SecurityContextHolderStrategy {

        private SecurityContext context = new SecurityContextImpl();

        @Override
        public void clearContext() {
            context = new SecurityContextImpl();
        }

        @Override
        public SecurityContext getContext() {
            return context;
        }

        @Override
        public void setContext(SecurityContext context) {
            this.context = context;
        }

        @Override
        public SecurityContext createEmptyContext() {
            return new SecurityContextImpl();
        }
    }
}
