package io.credential.spring.autoconfigure.audit;

import org.springframework.util.ClassUtils;

import io.credential.audit.AuditCaller;
import io.credential.spring.security.SecurityContextActor;
import io.credential.spring.web.RequestCaller;

/**
 * Provides the caller of audit events: the one that Spring Security has authenticated, if it is on the class path, and
 * the origin of the request.
 *
 * @since 0.1.0
 */
public final class CurrentActor {

    private CurrentActor() {}

    /** Returns the caller of the calling thread, whose name is null if unknown. */
    public static AuditCaller supplier() {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.core.context.SecurityContextHolder", CurrentActor.class.getClassLoader());
        return security ? new SecurityContextActor() : new RequestCaller();
    }
}
