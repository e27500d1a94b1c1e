package io.credential.spring.autoconfigure.audit.internal;

import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.credential.audit.AuditCaller;
import io.credential.spring.security.internal.SecurityContextActor;
import io.credential.spring.web.internal.RequestCaller;

/**
 * Provides the caller of audit events: the one that Spring Security has authenticated, if it is on the class path, and
 * the origin of the request.
 */
public final class CurrentActor {

    private CurrentActor() {}

    /**
     * Returns the caller of the calling thread, whose name is null if unknown.
     *
     * @param beans provides the application's strategy for the security context, which is looked up at the first event
     */
    public static AuditCaller supplier(BeanFactory beans) {
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.core.context.SecurityContextHolder", CurrentActor.class.getClassLoader());
        return security ? Security.actor(beans) : new RequestCaller();
    }

    /** Loaded only if Spring Security is present. */
    private static final class Security {

        static AuditCaller actor(BeanFactory beans) {
            ObjectProvider<SecurityContextHolderStrategy> strategies =
                    beans.getBeanProvider(SecurityContextHolderStrategy.class);
            Supplier<Optional<SecurityContextHolderStrategy>> unique =
                    SingletonSupplier.of(() -> Optional.ofNullable(strategies.getIfUnique()));
            return new SecurityContextActor(
                    () -> unique.get().orElseGet(SecurityContextHolder::getContextHolderStrategy));
        }
    }
}
