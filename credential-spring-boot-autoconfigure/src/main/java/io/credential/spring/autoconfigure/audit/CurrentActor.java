package io.credential.spring.autoconfigure.audit;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.credential.spring.security.SecurityContextActor;

/**
 * Provides the actor of audit events: the caller that Spring Security has authenticated, if it is on the class path.
 *
 * @since 0.1.0
 */
public final class CurrentActor {

    private CurrentActor() {}

    /** Returns a supplier of the actor of the calling thread, which is null if unknown. */
    public static Supplier<@Nullable String> supplier() {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.core.context.SecurityContextHolder", CurrentActor.class.getClassLoader());
        return security ? new SecurityContextActor() : () -> null;
    }
}
