package io.credential.spring.autoconfigure.properties;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.internal.SegmentNames;

/** Rules for both signers and incoming webhooks. Keys are read, and fully checked, later. */
final class WebhookRules {

    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    private static final Set<String> PQC_ALGORITHMS = Set.of("ml-dsa-65", "ml-dsa-87", "slh-dsa-shake-256f");

    /** Stands for a secret in messages. */
    private static final String NOT_SHOWN = "(not shown)";

    private WebhookRules() {}

    static @Nullable String emptyToNull(@Nullable String text) {
        return StringUtils.hasText(text) ? text : null;
    }

    /** A key of 'pqc-pem' has two parts, the private one only in signers; any other key is one secret. */
    static void requireKeys(String name, Map<String, WebhookKey> keys, Algorithm algorithm, boolean signs) {
        requireKeys(name, keys, algorithm.text(), algorithm == Algorithm.PQC_PEM, signs);
    }

    /** The same, where the algorithm or scheme of this name has keys in two parts or not. */
    static void requireKeys(
            String name, Map<String, WebhookKey> keys, String algorithm, boolean hasParts, boolean signs) {
        PropertyRules.require(!keys.isEmpty(), name + ".keys", "", "At least one key is required.");
        keys.forEach((kid, key) -> {
            PropertyRules.require(
                    SegmentNames.isKid(kid),
                    name + ".keys",
                    kid,
                    "A kid must be 1 to 128 visible ASCII characters except '.', ',' and '=', and must not be"
                            + " 't' or 'id'.");
            String property = name + ".keys." + kid;
            if (hasParts) {
                requirePqcKey(property, key, signs);
            } else {
                PropertyRules.require(
                        key.secret() != null,
                        property,
                        NOT_SHOWN,
                        "With '" + algorithm + "' write the key, which must not be empty, here, without 'private-key'"
                                + " and 'public-key'.");
            }
        });
    }

    private static void requirePqcKey(String property, WebhookKey key, boolean signs) {
        PropertyRules.require(
                key.secret() == null,
                property,
                NOT_SHOWN,
                "With 'pqc-pem' write '" + property + ".public-key'" + (signs ? " and '.private-key'" : "") + ".");
        PropertyRules.require(
                key.publicKey() != null, property + ".public-key", "", "The public key is required, in PEM.");
        PropertyRules.require(
                (key.privateKey() != null) == signs,
                property + ".private-key",
                NOT_SHOWN,
                signs ? "The private key is required, in PEM." : "Remove it: verification needs only the public key.");
    }

    static void requirePqcAlgorithm(String name, Algorithm algorithm, @Nullable String pqcAlgorithm) {
        if (pqcAlgorithm == null) {
            return;
        }
        PropertyRules.require(
                algorithm == Algorithm.PQC_PEM,
                name + ".pqc-algorithm",
                pqcAlgorithm,
                "It is an option of 'pqc-pem'; the algorithm is '" + algorithm.text() + "'.");
        PropertyRules.require(
                PQC_ALGORITHMS.contains(pqcAlgorithm),
                name + ".pqc-algorithm",
                pqcAlgorithm,
                "Write one of: ml-dsa-65, ml-dsa-87, slh-dsa-shake-256f.");
    }

    static void requireHeaderName(String name, String header) {
        PropertyRules.require(
                HEADER_NAME.matcher(header).matches(),
                name + ".signature-header",
                header,
                "It must be the name of an HTTP header.");
        PropertyRules.require(
                !WebhookSigner.isReservedHeader(header),
                name + ".signature-header",
                header,
                "Requests use this header for something else; choose another one, such as Webhook-Signature.");
    }
}
