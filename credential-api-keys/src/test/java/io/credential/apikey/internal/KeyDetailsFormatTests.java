package io.credential.apikey.internal;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.Quota;
import io.credential.storage.internal.JsonText;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** During a rolling upgrade, nodes of two versions read the same details. */
class KeyDetailsFormatTests {

    private static final IssueRequest REQUEST = IssueRequest.forOwner("user-42");

    private static Stream<KeyDetails> restricted() {
        return Stream.of(
                KeyDetails.of(REQUEST.quota(new Quota(5, Quota.Period.DAY, ZoneOffset.UTC)), null),
                KeyDetails.of(REQUEST.allowedNetworks(List.of("192.0.2.0/24")), null),
                KeyDetails.ofImported(REQUEST, null));
    }

    /** Versions that know only name, creator and rate limit reject details with a member that is not a text. */
    @ParameterizedTest
    @MethodSource("restricted")
    void jsonWhenRestrictedThenOlderVersionsRejectIt(KeyDetails details) {
        assertThat(JsonText.readObject(json(details)).values()).anyMatch(member -> !(member instanceof String));
        assertThat(KeyDetails.parse(json(details))).isEqualTo(details);
    }

    @Test
    void jsonWhenNotRestrictedThenAsInOlderVersions() {
        KeyDetails details = KeyDetails.of(REQUEST.name("laptop").rateLimit(100, Duration.ofSeconds(60)), "tester");

        assertThat(json(details)).isEqualTo("{\"name\":\"laptop\",\"createdBy\":\"tester\",\"rateLimit\":\"100/60\"}");
        assertThat(KeyDetails.parse(json(details))).isEqualTo(details);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"regions\":[\"eu\"]}",
                "{\"region\":\"eu\"}",
                "{\"name\":[\"laptop\"]}",
                "{\"rateLimit\":\"100\"}",
                "{\"quota\":\"5\"}",
                "{\"quota\":[\"5\",\"day\"]}",
                "{\"quota\":[5,\"day\",\"Z\"]}",
                "{\"quota\":[\"5\",\"week\",\"Z\"]}",
                "{\"quota\":[\"5\",\"day\",\"Nowhere\"]}",
                "{\"quota\":[\"9999999999\",\"day\",\"Z\"]}",
                "{\"allowedNetworks\":\"192.0.2.0/24\"}",
                "{\"allowedNetworks\":[1]}",
                "{\"imported\":\"true\"}"
            })
    void parseWhenMemberIsUnknownOrMalformedThenRejected(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyDetails.parse(json));
    }

    private static String json(KeyDetails details) {
        return Objects.requireNonNull(details.json());
    }
}
