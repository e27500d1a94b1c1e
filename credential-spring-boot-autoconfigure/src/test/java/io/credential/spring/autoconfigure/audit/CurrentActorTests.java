package io.credential.spring.autoconfigure.audit;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.credential.spring.autoconfigure.WithoutLibraries;

import static org.assertj.core.api.Assertions.assertThat;

class CurrentActorTests {

    @AfterEach
    void clear() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void supplierWhenAuthenticatedThenGivesTheName() {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("admin", "n/a", "ROLE_ADMIN"));
        assertThat(CurrentActor.supplier().get()).isEqualTo("admin");
    }

    @Test
    void supplierWhenSpringSecurityIsAbsentThenGivesNull() throws Exception {
        Method supplier = new WithoutLibraries("org.springframework.security.")
                .loadClass(CurrentActor.class.getName())
                .getDeclaredMethod("supplier");
        supplier.setAccessible(true);
        assertThat(((Supplier<?>) supplier.invoke(null)).get()).isNull();
    }
}
