package io.credential.spring.autoconfigure.apikeys;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.credential.spring.security.SecurityContextActor;

/** Who acts, for the audit trail: whoever Spring Security has authenticated, where it is there. */
final class CurrentActor {

    private CurrentActor() {}

    static Supplier<@Nullable String> supplier() {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.core.context.SecurityContextHolder", CurrentActor.class.getClassLoader());
        return security ? new SecurityContextActor() : () -> null;
    }
}
