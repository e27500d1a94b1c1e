package io.credential.apikey.internal.foreign;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;

/**
 * The ids of imported keys. They follow from what their tokens contain, so that a key is found by its id, and an import that
 * is repeated finds what it has written.
 */
public final class ForeignKeyId {

    private static final String CONTEXT = "credential/imported-key-id/v1";
    private static final int LENGTH = 32;

    private ForeignKeyId() {}

    /** @param lookupId null if the key is looked up by its hash */
    public static String of(String namespace, @Nullable String lookupId, String storedHash) {
        FieldBytes fields = new FieldBytes(160).text(CONTEXT).text(namespace);
        fields.text(lookupId == null ? "hash" : "id").text(lookupId == null ? storedHash : lookupId);
        return fields.sha256().substring(0, LENGTH);
    }
}
