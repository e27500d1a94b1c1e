package io.credential.apikey.internal.foreign;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.secret.internal.FieldBytes;
import io.credential.secret.internal.ImportedHashes;

/**
 * A token of another system.
 *
 * @param lookupId null if the key is looked up by its hash
 * @param secret what the other system has hashed
 */
public record ForeignToken(
        String text, ForeignTokenForm form, @Nullable String lookupId, String secret) {

    private static final String CONTEXT = "credential/imported-key/v1";

    /** Calls a function with the id of the key and the secret, and wipes the secret afterwards. */
    public <T> T use(String namespace, BiFunction<String, PresentedSecret, T> function) {
        byte[] alone = secret.getBytes(StandardCharsets.UTF_8);
        try {
            ForeignHashAlgorithm lookupHash = form.lookupHash();
            String id = ForeignKeyId.of(namespace, lookupId, lookupHash == null ? "" : hash(lookupHash, alone));
            return new FieldBytes(256)
                    .text(CONTEXT)
                    .text(namespace)
                    .text(id)
                    .text(text)
                    .toSecretBytes()
                    .useAndClose(input -> function.apply(id, new PresentedSecret(input, alone, form.pepper())));
        } finally {
            Arrays.fill(alone, (byte) 0);
        }
    }

    private String hash(ForeignHashAlgorithm algorithm, byte[] alone) {
        return switch (algorithm) {
            case SHA256 -> ImportedHashes.sha256Of(alone);
            case SHA512 -> ImportedHashes.sha512Of(alone);
            case HMAC_SHA256 ->
                ImportedHashes.hmacSha256Of(PresentedSecret.hmac(Objects.requireNonNull(form.pepper()), alone));
            case BCRYPT, ARGON2ID -> throw new IllegalStateException("No form looks up keys by such a hash");
        };
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "ForeignToken[]";
    }
}
