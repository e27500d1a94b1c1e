package io.credential.benchmarks.apikey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;

/** Keys of another system, hashed with SHA-256. */
final class ForeignKeys {

    static final ForeignTokenForm[] FORMS = {
        ForeignTokenForm.withId("(?<id>[0-9]{1,19})\\|(?<secret>[A-Za-z0-9]{40})"),
        ForeignTokenForm.byHash("sk_[A-Za-z0-9]{32}", ForeignHashAlgorithm.SHA256)
    };

    private static final IssueRequest KEY = IssueRequest.forOwner("owner-1").scopes("orders:read", "orders:write");

    private ForeignKeys() {}

    /** Imports keys that are looked up by the id in their tokens; returns the tokens. */
    static List<String> importWithIds(ApiKeyRegistry registry, int count) {
        return imported(
                registry,
                count,
                ForeignKeys::withId,
                number -> KeyImport.of(KEY, sha256(secret(number)), Integer.toString(number)));
    }

    /** Imports keys that are looked up by the hash of their tokens; returns the tokens. */
    static List<String> importByHash(ApiKeyRegistry registry, int count) {
        return imported(registry, count, ForeignKeys::byHash, number -> KeyImport.of(KEY, sha256(byHash(number))));
    }

    private static List<String> imported(
            ApiKeyRegistry registry, int count, IntFunction<String> token, IntFunction<KeyImport> key) {
        Stream<KeyImport> keys = IntStream.range(0, count).mapToObj(key);
        if (registry.importKeys(keys.iterator(), ImportOptions.defaults()).imported() != count) {
            throw new IllegalStateException("Keys were not imported");
        }
        return IntStream.range(0, count).mapToObj(token).toList();
    }

    /** Returns a token that contains its look-up id; only numbers from 0 are imported. */
    static String withId(int number) {
        return Integer.toUnsignedString(number) + "|" + secret(number);
    }

    /** Returns a token that is looked up by its hash; only numbers from 0 are imported. */
    static String byHash(int number) {
        return "sk_%032x".formatted(number);
    }

    private static String secret(int number) {
        return "%040x".formatted(number);
    }

    private static ForeignHash sha256(String secret) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return ForeignHash.of(ForeignHashAlgorithm.SHA256, HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }
}
