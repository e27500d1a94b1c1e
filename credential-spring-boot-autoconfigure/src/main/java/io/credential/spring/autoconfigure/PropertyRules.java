package io.credential.spring.autoconfigure;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Bean Validation is not assumed, so the property records check themselves. */
final class PropertyRules {

    private PropertyRules() {}

    /**
     * @throws InvalidConfigurationPropertyValueException naming the property, its value and what to write instead
     */
    static void require(boolean holds, String property, Object value, String remedy) {
        if (!holds) {
            throw new InvalidConfigurationPropertyValueException(property, value, remedy);
        }
    }

    /** Runs a check of core and tells its refusal as one of this property. */
    static void accepts(String property, Object value, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage(), e);
        }
    }
}
