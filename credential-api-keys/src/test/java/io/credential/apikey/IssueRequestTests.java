package io.credential.apikey;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class IssueRequestTests {

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\t\n"})
    void forOwnerWhenBlankThenRefused(String owner) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner(owner))
                .withMessage("ownerId is required and must not be blank")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/missing-owner"));
    }

    @Test
    void forOwnerWhenOver255CharactersThenRefused() {
        assertThat(IssueRequest.forOwner("o".repeat(255)).ownerId()).hasSize(255);
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("o".repeat(256)))
                .withMessage("ownerId must have at most 255 characters, but has 256")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/missing-owner"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "read orders", "read\torders", "read\u0000", "\u200b", "\ud800", "a\u00a0b"})
    void scopesWhenACharacterIsNotVisibleThenRefused(String scope) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").scopes("ok", scope))
                .withMessage("A scope must have 1 to 128 visible characters and no blanks")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
    }

    @Test
    void scopesWhenOneHasOver128CharactersThenRefused() {
        assertThat(IssueRequest.forOwner("user-1").scopes("s".repeat(128)).scopes())
                .hasSize(1);
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").scopes("s".repeat(129)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
    }

    @Test
    void scopesWhenOneIsNullThenRefused() {
        List<String> scopes = Arrays.asList("read:orders", null);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").scopes(scopes))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
    }

    @Test
    void scopesWhenMoreThan64ThenRefused() {
        List<String> scopes = IntStream.range(0, 64).mapToObj(i -> "scope:" + i).toList();
        List<String> tooMany = new ArrayList<>(scopes);
        tooMany.add("scope:64");

        assertThat(IssueRequest.forOwner("user-1").scopes(scopes).scopes()).hasSize(64);
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").scopes(tooMany))
                .withMessage("A key can have at most 64 scopes, but 65 were given")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
    }

    @Test
    void scopesWhenOneIsGivenTwiceThenCountedOnce() {
        assertThat(IssueRequest.forOwner("user-1").scopes("b", "a", "b").scopes())
                .containsExactly("b", "a");
    }

    @Test
    void metadataWhenOver4096BytesOfJsonThenRefused() {
        String fits = "x".repeat(4096 - "{\"k\":\"\"}".length());

        assertThat(IssueRequest.forOwner("user-1").metadata(Map.of("k", fits)).metadata())
                .containsEntry("k", fits);
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").metadata(Map.of("k", fits + "x")))
                .withMessage("metadata must have at most 4096 bytes of JSON, but has 4097")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void forOwnerWhenItHasNoUtf8FormThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-\ud800"))
                .withMessage("ownerId must be well-formed Unicode")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/missing-owner"));
    }

    @Test
    void metadataWhenNestedDeeplyThenRefused() {
        Map<String, Object> deepest = nested(32);

        assertThat(IssueRequest.forOwner("user-1").metadata(deepest).metadata()).isEqualTo(deepest);
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").metadata(nested(33)))
                .withMessage("metadata must have at most 32 levels of objects and arrays")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    private static Map<String, Object> nested(int levels) {
        Object contents = List.of();
        for (int level = 2; level < levels; level++) {
            contents = level % 2 == 0 ? Map.of("a", contents) : List.of(contents);
        }
        return Map.of("a", contents);
    }

    @Test
    void metadataWhenItHasNoUtf8FormThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").metadata(Map.of("a", "\ud800")))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void metadataWhenANumberIsInfiniteThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").metadata(Map.of("n", Double.POSITIVE_INFINITY)))
                .withMessage("metadata cannot be written as JSON")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void metadataWhenANumberIsReadAsInfiniteThenRefused() {
        Map<String, Object> metadata = Map.of("n", new BigDecimal("1e999"));

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> new IssueRequest("user-1", null, List.of(), metadata, null, null, null, List.of()))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void metadataWhenItContainsItselfThenRefused() {
        Map<String, Object> endless = new LinkedHashMap<>();
        endless.put("self", endless);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> IssueRequest.forOwner("user-1").metadata(endless))
                .withMessage("metadata cannot be written as JSON")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void metadataThenIsAnUnmodifiablePlainJsonCopy() {
        Map<String, Object> given = new LinkedHashMap<>(Map.of("plan", new StringBuilder("pro")));
        given.put("none", null);
        IssueRequest request = IssueRequest.forOwner("user-1").metadata(given);
        given.put("plan", "free");

        assertThat(request.metadata())
                .containsEntry("plan", "pro")
                .containsEntry("none", null)
                .isUnmodifiable();
    }

    @Test
    void metadataWhenNotGivenThenEmpty() {
        assertThat(IssueRequest.forOwner("user-1").metadata()).isEqualTo(Collections.emptyMap());
    }

    @Test
    void toStringThenShowsNothingThatIsSealedAtRest() {
        IssueRequest request =
                IssueRequest.forOwner("user-1").scopes("read:orders").metadata(Map.of("plan", "pro"));

        assertThat(request.toString()).doesNotContain("user-1", "read:orders", "plan");
    }
}
