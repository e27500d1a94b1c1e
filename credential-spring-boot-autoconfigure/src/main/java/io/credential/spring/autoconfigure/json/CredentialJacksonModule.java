package io.credential.spring.autoconfigure.json;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

import io.credential.ratelimit.RateLimit;
import io.credential.secret.SecretBytes;

/**
 * Configures the JSON of the core's public types: enums are words, absent values are left out, and secrets are never
 * written. The application decides how times are written. Uses mix-ins, because the core has no JSON annotations.
 */
final class CredentialJacksonModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    CredentialJacksonModule() {
        super("credential");
        mixIns().forEach(this::setMixInAnnotation);
        addSerializer(SecretBytes.class, new SecretRejection());
    }

    /** Returns the annotations of each type. */
    private static Map<Class<?>, Class<?>> mixIns() {
        Map<Class<?>, Class<?>> mixIns = new HashMap<>();
        for (JsonTypes types : JsonTypes.present()) {
            types.enums().forEach(words -> mixIns.put(words.type(), Word.class));
            types.withAbsentValues().forEach(type -> mixIns.put(type, WithoutAbsentValues.class));
            types.withSecrets().forEach(type -> mixIns.put(type, WithoutSecret.class));
        }
        mixIns.put(RateLimit.class, InSeconds.class);
        return mixIns;
    }

    /** Lets Jackson read the types and their annotations in a native image. */
    static final class Hints implements RuntimeHintsRegistrar {

        private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            mixIns().forEach((type, mixIn) -> {
                binding.registerReflectionHints(hints.reflection(), type);
                hints.reflection().registerType(mixIn, MemberCategory.INVOKE_PUBLIC_METHODS);
            });
        }
    }

    private interface Word {

        @JsonValue
        String text();
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private interface WithoutAbsentValues {}

    @SuppressWarnings("UnusedMethod") // Jackson looks for it by its name
    private interface WithoutSecret {

        @JsonIgnore
        String secretHex();
    }

    /** The unit is in the name, however the application writes durations. */
    @SuppressWarnings("UnusedMethod") // Jackson looks for them by their names
    private interface InSeconds {

        @JsonIgnore
        Duration window();

        @JsonProperty
        long windowSeconds();
    }

    /** Fails even if the application makes fields visible. */
    private static final class SecretRejection extends ValueSerializer<SecretBytes> {

        @Override
        public void serialize(SecretBytes secret, JsonGenerator json, SerializationContext context) {
            throw DatabindException.from(json, "Secret bytes must not be written as JSON");
        }
    }
}
