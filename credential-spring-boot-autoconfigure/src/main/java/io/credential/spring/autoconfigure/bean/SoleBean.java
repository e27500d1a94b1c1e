package io.credential.spring.autoconfigure.bean;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Finds beans with which an application replaces a default. Where there are several and none is primary, the start
 * stops: the default would silently be neither of those that were meant.
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
     * Returns the marked clock, else that of the system.
     *
     * @param marked injected with {@code @CredentialClock}
     * @throws CredentialConfigurationException if several are marked and none is primary
     */
    public static InstantSource clock(ObjectProvider<InstantSource> marked) {
        return of(marked, "marked with @CredentialClock", "Leave the mark on one only.")
                .orElseGet(InstantSource::system);
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
