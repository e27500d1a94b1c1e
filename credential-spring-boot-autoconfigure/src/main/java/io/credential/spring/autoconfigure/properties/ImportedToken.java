package io.credential.spring.autoconfigure.properties;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.secret.SecretBytes;

/**
 * Configuration properties of a form of tokens that another system has issued.
 *
 * @param pattern Regular expression for the whole token. Its group 'id' contains the look-up id of the key, and its
 *     group 'secret' what the other system has hashed if that is not the whole token.
 * @param lookupHash Hash by which keys are looked up if the pattern has no group 'id': 'sha256', 'sha512' or
 *     'hmac-sha256'.
 * @param pepper Key of 'hmac-sha256' as text, or in base64 after 'base64:'.
 * @since 0.1.0
 */
@ConfigurationPropertiesSource
public record ImportedToken(
        @DefaultValue("") String pattern,
        @Nullable ForeignHashAlgorithm lookupHash,
        @Nullable String pepper) {

    private static final String BASE64 = "base64:";

    /**
     * Returns the form.
     *
     * @param name of the property
     * @throws InvalidConfigurationPropertyValueException naming the property that is wrong
     */
    ForeignTokenForm form(String name) {
        SecretBytes key = pepper == null ? null : pepper(name + ".pepper", pepper);
        return PropertyRules.accepted(
                name + ".pattern", pattern, regex -> new ForeignTokenForm(regex, lookupHash, key));
    }

    private static SecretBytes pepper(String name, String text) {
        if (!text.startsWith(BASE64)) {
            return SecretBytes.copyAndWipe(text.getBytes(StandardCharsets.UTF_8));
        }
        try {
            return SecretBytes.copyAndWipe(Base64.getDecoder().decode(text.substring(BASE64.length())));
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(
                    name, "(not shown)", "What follows 'base64:' must be base64.");
        }
    }

    /** Leaves out the pepper. */
    @Override
    public String toString() {
        return "ImportedToken[pattern=" + pattern + ", lookupHash=" + lookupHash + "]";
    }
}
