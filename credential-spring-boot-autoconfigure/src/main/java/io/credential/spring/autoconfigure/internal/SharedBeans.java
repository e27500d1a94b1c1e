package io.credential.spring.autoconfigure.internal;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.AuditSink;
import io.credential.internal.notification.NodeNotifications;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Finds the beans of the application that several features use, or their defaults. Imported by the configurations that
 * need it.
 */
public final class SharedBeans {

    private final ObjectProvider<InstantSource> clocks;
    private final ObjectProvider<AuditSink> auditSinks;
    private final ObjectProvider<NodeNotifications> notifications;
    private final ObjectProvider<ObservationRegistry> observations;

    public SharedBeans(
            @CredentialClock ObjectProvider<InstantSource> clocks,
            ObjectProvider<AuditSink> auditSinks,
            ObjectProvider<NodeNotifications> notifications,
            ObjectProvider<ObservationRegistry> observations) {
        this.clocks = clocks;
        this.auditSinks = auditSinks;
        this.notifications = notifications;
        this.observations = observations;
    }

    /**
     * Returns the clock annotated with {@code @CredentialClock}, or the system clock if there is none.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public InstantSource clock() {
        return sole(clocks, "annotated with @CredentialClock", "Annotate only one.")
                .orElseGet(InstantSource::system);
    }

    /**
     * Returns the audit sink, or none.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public AuditSink auditSink() {
        return sole(auditSinks, AuditSink.class).orElseGet(AuditSink::none);
    }

    /**
     * Returns the notifications between nodes, or none for a single node.
     *
     * @throws CredentialConfigurationException if there are several and none is primary
     */
    public NodeNotifications notifications() {
        return sole(notifications, NodeNotifications.class).orElseGet(NodeNotifications::none);
    }

    /** Returns the registry of observations, or one that observes nothing; also if there are several and none is primary. */
    public ObservationRegistry observations() {
        return observations.getIfUnique(() -> ObservationRegistry.NOOP);
    }

    /**
     * Returns the only or the primary bean that replaces a default, empty if there is none.
     *
     * @throws CredentialConfigurationException if there are several and none is primary, because the intent of the
     *     application is unclear
     */
    public static <T> Optional<T> sole(ObjectProvider<T> candidates, Class<T> type) {
        return sole(
                candidates,
                "of type " + type.getSimpleName(),
                "Mark the one to use as @Primary, or remove the others.");
    }

    private static <T> Optional<T> sole(ObjectProvider<T> candidates, String which, String remedy) {
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
