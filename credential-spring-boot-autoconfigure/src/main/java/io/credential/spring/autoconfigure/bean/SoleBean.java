package io.credential.spring.autoconfigure.bean;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

import io.micrometer.observation.ObservationRegistry;

import io.credential.notification.NodeNotifications;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Finds the bean that replaces a default. Startup fails if there are several and none is primary, because the intent of
 * the application is unclear.
 *
 * @since 0.1.0
 */
public final class SoleBean {

    private SoleBean() {}

    /**
     * Returns the only or the primary bean, empty if there is none.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public static <T> Optional<T> of(ObjectProvider<T> candidates, Class<T> type) {
        return of(
                candidates,
                "of type " + type.getSimpleName(),
                "Mark the one to use as @Primary, or remove the others.");
    }

    /**
     * Returns the clock annotated with {@code @CredentialClock}, or the system clock if there is none.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public static InstantSource clock(ObjectProvider<InstantSource> annotated) {
        return of(annotated, "annotated with @CredentialClock", "Annotate only one.")
                .orElseGet(InstantSource::system);
    }

    /**
     * Returns the notifications between nodes, or none for a single node.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public static NodeNotifications notifications(ObjectProvider<NodeNotifications> candidates) {
        return of(candidates, NodeNotifications.class).orElseGet(NodeNotifications::none);
    }

    /** Returns the registry of observations, or one that observes nothing; also if there are several and none is primary. */
    public static ObservationRegistry observations(ObjectProvider<ObservationRegistry> candidates) {
        return candidates.getIfUnique(() -> ObservationRegistry.NOOP);
    }

    private static <T> Optional<T> of(ObjectProvider<T> candidates, String which, String remedy) {
        try {
            return Optional.ofNullable(candidates.getIfAvailable());
        } catch (NoUniqueBeanDefinitionException e) {
            Collection<String> names = e.getBeanNamesFound();
            throw new CredentialConfigurationException(
                    "Several beans " + which + " exist, and none is primary"
                            + (names == null ? "" : ": " + String.join(", ", names)) + ".",
                    remedy,
                    e);
        }
    }
}
